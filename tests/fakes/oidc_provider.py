"""An OpenID Connect provider in this process: discovery, keys, sign-in and tokens signed with RS256."""

import base64
import hashlib
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

# Authlib takes the newer of the two libraries that is installed; a transport must be of the same one.
try:
    import httpx2 as httpx
except ImportError:
    import httpx

ISSUER = "https://id.example.org"
CLIENT_ID = "hearken"
CLIENT_SECRET = "a secret between the two"


@dataclass
class Provider(httpx.AsyncBaseTransport):
    """Answers as a provider would; tests change what it says.

    Attributes:
        issuer: Its address.
        claims: What it says about whoever signs in.
        spoil: Claims of the ID token to replace, such as a wrong nonce.
        foreign_key: Sign with a key that is not among the published ones.
    """

    issuer: str = ISSUER
    claims: dict[str, Any] = field(default_factory=dict)
    spoil: dict[str, Any] = field(default_factory=dict)
    foreign_key: bool = False
    down: bool = False
    _key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    _codes: dict[str, tuple[dict[str, str], dict[str, Any]]] = field(default_factory=dict)

    def sign_in(self, address: str, claims: dict[str, Any] | None = None) -> str:
        """What a person does at the provider: the address it sends the browser back to.

        Args:
            address: Where the browser was sent to.
            claims: Of this person; else :attr:`claims`.
        """
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["client_id"] == CLIENT_ID
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked, self.claims if claims is None else claims
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.down:
            raise httpx.ConnectError("no route")
        path = request.url.path
        if path == "/.well-known/openid-configuration":
            return httpx.Response(200, json=self._metadata())
        if path == "/keys":
            return httpx.Response(200, json={"keys": [self._key.as_dict(private=False)]})
        if path == "/token":
            return self._token(request)
        return httpx.Response(404)

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def _token(self, request: httpx.Request) -> httpx.Response:
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        asked, said = self._codes.pop(form.get("code", ""), (None, {}))
        basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if asked is None or request.headers.get("authorization") != f"Basic {basic}":
            return httpx.Response(400, json={"error": "invalid_grant"})
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked["code_challenge"]:
            return httpx.Response(400, json={"error": "invalid_grant"})
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "sub": "1",
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **said,
            **self.spoil,
        }
        key = RSAKey.generate_key(2048, {"kid": "one"}) if self.foreign_key else self._key
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, claims, key)
        return httpx.Response(
            200, json={"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": signed}
        )
