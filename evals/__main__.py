"""Lists the evaluations; ``python -m evals run …`` and ``python -m evals report …`` are its own commands.

python -m evals
python -m evals run --config evals/configs/embedded.yaml --json OUT.json
python -m evals report evals/results/*.json --html OUT.html
"""

import ast
import sys
from collections.abc import Sequence
from pathlib import Path

from evals import report, run_configurations

OWN = {
    "run": "Has configurations (model × n × re-ranking) answer the same scenarios and measures them.",
    "report": "Puts results of any number of configurations side by side on one page of HTML.",
}


def commands(folder: Path = Path(__file__).parent) -> dict[str, str]:
    """Modules that are commands, with the first line of what they say of themselves."""
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.py")):
        text = file.read_text("utf-8")
        if file.stem != "__main__" and '\nif __name__ == "__main__":' in text:
            found[file.stem] = (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """List, or hand over."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["run"]:
        run_configurations.main(given[1:])
    elif given[:1] == ["report"]:
        report.main(given[1:])
    elif not given or given[0] in ("-h", "--help"):
        for name, text in OWN.items():
            print(f"python -m evals {name:20} {text}")
        for name, text in commands().items():
            print(f"python -m evals.{name:20} {text}")
        print("\n--help after a command tells its options. Results with their commands: evals/results/")
    else:
        sys.exit(
            f"python -m evals: no command {given[0]!r}; known are {', '.join(OWN)}, or none for the list"
        )


if __name__ == "__main__":
    main()
