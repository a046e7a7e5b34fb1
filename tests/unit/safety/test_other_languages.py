"""Plain words of danger in the languages of the helplines bring help; everyday words of them don't."""

from time import process_time

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.normalize import Normalizer
from safety.other_languages import OtherLanguages
from safety.risk import RiskAssessor

DANGER = {
    "de": [
        "Ich will mich heute Nacht umbringen",
        "Ich möchte nicht mehr leben",
        "Ich denke oft an Selbstmord",
        "ich ritze mich wieder",
        "Mein Mann schlägt mich",
        "Ich wurde vergewaltigt",
        "Ich habe alle Tabletten geschluckt",
        "ich wünschte ich wäre tot",
    ],
    "nl": [
        "Ik wil zelfmoord plegen",
        "Ik wil dood",
        "ik wil niet meer leven",
        "ik ga mezelf vanavond van kant maken",
        "ik snijd mezelf",
        "mijn man slaat me",
        "ik heb alle pillen ingenomen",
    ],
    "sv": [
        "Jag vill ta mitt liv",
        "jag vill dö",
        "Jag vill inte leva längre",
        "jag ska ta livet av mig i natt",
        "jag skär mig",
        "min man slår mig",
        "jag har svalt alla tabletterna",
    ],
    "no": [
        "Jeg vil ta livet mitt",
        "jeg vil bare dø",
        "jeg vil ikke leve lenger",
        "jeg tar livet av meg i kveld",
        "jeg kutter meg",
        "mannen min slår meg",
        "jeg har tatt alle pillene",
    ],
    "da": [
        "Jeg vil tage mit eget liv",
        "jeg vil gerne dø",
        "jeg vil ikke leve længere",
        "jeg tager mit liv i aften",
        "jeg cutter i mig",
        "min mand slår mig",
        "jeg tog alle pillerne",
    ],
    "fi": [
        "Haluan tappaa itseni tänä iltana",
        "haluan kuolla",
        "en halua enää elää",
        "ajattelen itsemurhaa",
        "viiltelen taas",
        "mieheni hakkaa minua",
        "otin kaikki pillerit",
    ],
    "pl": [
        "Chcę się zabić",
        "chce sie zabic dzisiaj",
        "Nie chcę już żyć",
        "mam myśli samobójcze",
        "tnę się",
        "mąż mnie bije",
        "połknęłam wszystkie tabletki",
    ],
    "it": [
        "Voglio uccidermi stanotte",
        "voglio morire",
        "non voglio più vivere",
        "penso al suicidio",
        "mi taglio ogni sera",
        "mio marito mi picchia",
        "ho preso tutte le pillole",
    ],
    "es": [
        "Quiero suicidarme esta noche",
        "ya no quiero vivir",
        "me quiero matar",
        "pienso en el suicidio",
        "me corto las venas",
        "mi marido me golpea",
        "me tomé todas las pastillas",
    ],
    "pt": [
        "Quero me suicidar hoje",
        "não quero mais viver",
        "vou me matar",
        "penso em suicídio",
        "me automutilo",
        "meu marido me bate",
        "tomei todos os comprimidos",
    ],
    "fr": [
        "Je veux me tuer ce soir",
        "je ne veux plus vivre",
        "envie de mourir",
        "je pense au suicide",
        "je me scarifie",
        "mon mari me frappe",
        "j'ai avalé tous les médicaments",
    ],
    "tr": [
        "Bu gece kendimi öldürmek istiyorum",
        "ölmek istiyorum",
        "artık yaşamak istemiyorum",
        "intihar edeceğim",
        "kendimi kesiyorum",
        "kocam beni dövüyor",
        "bütün hapları içtim",
    ],
    "ru": [
        "Я хочу покончить с собой",
        "хочу умереть",
        "я больше не хочу жить",
        "не хочу больше жить",
        "сегодня убью себя",
        "режу себя",
        "муж меня бьёт",
        "выпила все таблетки",
    ],
    "uk": [
        "Хочу покінчити з собою",
        "хочу померти",
        "не хочу більше жити",
        "думаю про самогубство",
        "ріжу себе",
        "чоловік мене б'є",
        "випила всі таблетки",
    ],
    "ar": [
        "أريد أن أموت",
        "أريد أن أنتحر الليلة",
        "لا أريد أن أعيش",
        "سأقتل نفسي",
        "أجرح نفسي",
        "زوجي يضربني",
        "بلعت كل الحبوب",
    ],
    "fa": [
        "می‌خواهم بمیرم",
        "می خوام خودکشی کنم",
        "امشب خودم رو می‌کشم",
        "دیگه نمی‌خوام زندگی کنم",
        "رگم را می‌زنم",
        "شوهرم مرا می‌زند",
        "همه قرص‌ها را خوردم",
    ],
    "he": [
        "אני רוצה למות",
        "אני רוצה להתאבד הלילה",
        "לא רוצה לחיות",
        "נמאס לי לחיות",
        "אני חותכת את עצמי",
        "בעלי מכה אותי",
        "בלעתי את כל הכדורים",
    ],
    "hi": [
        "मैं मरना चाहता हूं",
        "मैं आत्महत्या करना चाहती हूँ",
        "मैं आज खुद को मार डालूंगा",
        "अब जीना नहीं चाहता",
        "मैं हाथ की नस काट लूंगी",
        "पति मुझे मारता है",
        "सारी गोलियां खा लीं",
        "main marna chahta hoon",
    ],
    "ta": [
        "நான் தற்கொலை செய்ய போகிறேன்",
        "நான் சாக வேண்டும்",
        "எனக்கு வாழ பிடிக்கவில்லை",
        "செத்துப் போகணும் போல இருக்கு",
        "கணவர் என்னை அடிக்கிறார்",
        "எல்லா மாத்திரையும் சாப்பிட்டேன்",
    ],
    "ms": [
        "aku ingin bunuh diri malam ini",
        "saya nak mati",
        "aku ingin mati",
        "tidak ingin hidup lagi",
        "aku menyayat tangan lagi",
        "suami saya pukul saya",
        "aku minum semua obat",
    ],
    "fil": [
        "gusto ko nang mamatay",
        "magpapakamatay na ako ngayong gabi",
        "ayoko nang mabuhay",
        "sana mamatay na lang ako",
        "hiniwa ko, hiwain ang pulso",
        "binubugbog ako ng asawa ko",
        "ininom ko lahat ng gamot",
    ],
    "vi": [
        "tôi muốn chết",
        "tôi muốn tự sát đêm nay",
        "em không muốn sống nữa",
        "mình muốn tự tử",
        "tôi rạch tay",
        "chồng tôi đánh tôi",
        "tôi uống hết cả lọ thuốc",
    ],
    "ko": [
        "죽고 싶어요",
        "오늘 밤 자살하고 싶어",
        "살고 싶지 않아요",
        "더 이상 살기 싫어",
        "손목을 그었어",
        "남편이 나를 때려요",
        "수면제를 다 먹었어요",
    ],
    "ja": [
        "今夜自殺したい",
        "死にたい",
        "もう生きていたくない",
        "消えてしまいたい",
        "手首を切った",
        "夫に殴られた",
        "睡眠薬を全部飲んだ",
    ],
}
CALM = {
    "de": [
        "Ich sterbe vor Lachen",
        "Der Film über Selbstmord war traurig",
        "er schlägt mich im Schach",
        "die Arbeit ist heute schwer",
        "Ich will nicht sterben, ich will tanzen",
        "ich nehme eine Tablette gegen Kopfschmerzen",
    ],
    "nl": [
        "ik wil vanavond uit eten",
        "hij slaat de trommel",
        "ik lach me dood",
        "de dood van de plant",
        "ik wil niet meer roken",
        "ik heb een pil genomen",
    ],
    "sv": [
        "jag vill ha kaffe",
        "vi ska leva länge",
        "han slår på trumman",
        "blommorna dör",
        "jag tog en tablett",
        "jag vill inte dö",
    ],
    "no": [
        "jeg vil ha is",
        "han slår på tromme",
        "jeg tok en tablett",
        "blomstene dør",
        "jeg vil reise i dag",
        "det er livet mitt",
    ],
    "da": [
        "jeg vil have is",
        "han slår på tromme",
        "jeg tog en pille mod hovedpine",
        "det er mit liv",
        "vi ses i aften",
        "planten er død",
    ],
    "fi": [
        "haluan kotiin",
        "hän lyö rumpua",
        "kukka kuoli",
        "otin yhden tabletin",
        "haluan elää",
        "elän tänään hyvin",
    ],
    "pl": [
        "Chcę się bawić",
        "mam dwa koty",
        "nie chcę już czekać",
        "umieram ze śmiechu",
        "od rana pada",
        "wzięłam tabletkę",
    ],
    "it": [
        "voglio morire dal ridere",
        "il film parla di suicidio",
        "mi taglio i capelli",
        "vado di corsa dei nonni",
        "ho preso una pillola",
        "non voglio più aspettare",
    ],
    "es": [
        "me muero de risa",
        "quiero morir de risa",
        "me corto el pelo",
        "me pega la luna",
        "no quiero morir",
        "tomé una pastilla",
    ],
    "pt": [
        "quero morrer de rir",
        "não quero morrer",
        "quero viver",
        "vou me deitar hoje",
        "tomei um comprimido",
        "o carro bate no muro",
    ],
    "fr": [
        "je veux mourir de rire",
        "je vais me coucher ce soir",
        "je me coupe les cheveux",
        "il me tape sur les nerfs au film",
        "j'ai pris un cachet",
        "je ne veux plus de gâteau",
    ],
    "tr": [
        "gülmekten ölüyorum",
        "bugün çok yorgunum",
        "dans etmek istiyorum",
        "bir hap içtim",
        "yaşamak güzel",
        "kitap okuyorum",
    ],
    "ru": [
        "умираю со смеху",
        "хочу спать",
        "не хочу жить в городе",
        "ребёнок бьёт в барабан",
        "выпила таблетку",
        "сегодня хороший день",
    ],
    "uk": [
        "вмираю зі сміху",
        "хочу спати",
        "не хочу жити в місті",
        "сьогодні гарний день",
        "випила таблетку",
        "він б'є у барабан",
    ],
    "ar": [
        "أريد أن أنام",
        "أريد أن آكل",
        "اليوم جميل",
        "أموت من الضحك",
        "أريد أن أموت من الضحك",
        "أخذت حبة للصداع",
    ],
    "fa": [
        "می‌خواهم بخوابم",
        "امروز خوبم",
        "یک قرص خوردم",
        "می‌خواهم غذا بخورم",
        "زندگی زیباست",
        "برادرم ساز می‌زند",
    ],
    "he": ["אני רוצה לישון", "רוצה למות מצחוק", "היום יפה", "לקחתי כדור", "אני רוצה לחיות", "הוא מנגן היום"],
    "hi": [
        "मैं सोना चाहता हूं",
        "आज अच्छा दिन है",
        "मैंने एक गोली खाई",
        "जीना अच्छा लगता है",
        "मुझे खाना चाहिए",
        "वह ढोल बजाता है",
    ],
    "ta": ["நான் தூங்க வேண்டும்", "இன்று நல்ல நாள்", "எனக்கு இசை பிடிக்கும்", "மாத்திரை ஒன்று", "வாழ விரும்புகிறேன்", "நன்றி"],
    "ms": [
        "saya nak makan",
        "listrik mati malam ini",
        "aku mau mati ketawa",
        "aku ingin hidup",
        "minum obat batuk",
        "dia memukul bola",
    ],
    "fil": [
        "gusto ko nang kumain",
        "masaya ako ngayon",
        "uminom ako ng gamot",
        "gusto ko mabuhay",
        "bukas na lang",
        "salamat po",
    ],
    "vi": [
        "tôi muốn từ từ suy nghĩ",
        "muốn chết cười",
        "tôi sẽ từ từ đi",
        "hôm nay vui",
        "tôi uống thuốc ho",
        "anh ấy đánh trống",
    ],
    "ko": [
        "자고 싶어요",
        "오늘은 좋은 날",
        "배고파 죽겠어",
        "영화에서 자살하고 싶어 한 사람",
        "약을 먹었어요",
        "살고 싶어요",
    ],
    "ja": ["寝たい", "今日はいい天気", "笑い死ぬ", "薬を飲んだ", "生きたい", "電気が消えた"],
}


def _flat(texts: dict[str, list[str]]) -> list[str]:
    return [f"{language}: {text}" for language, found in texts.items() for text in found]


@pytest.mark.parametrize("text", _flat(DANGER))
def test_plain_words_of_danger_bring_help(assessor: RiskAssessor, text: str) -> None:
    written = text.partition(": ")[2]
    found = assessor.assess(written, SessionRisk())
    assert found.level >= RiskLevel.MODERATE
    assert not found.failed_layers


@pytest.mark.parametrize("text", _flat(CALM))
def test_everyday_words_are_calm(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text.partition(": ")[2], SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "Ich will mich heute Nacht umbringen",
        "Voglio uccidermi stanotte",
        "сегодня убью себя",
        "أريد أن أنتحر الليلة",
    ],
)
def test_a_wish_for_tonight_is_imminent(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT


def test_staff_are_shown_the_words_as_they_were_written(normalizer: Normalizer) -> None:
    text = "Hej, chcę się zabić. Pa"
    first = OtherLanguages(normalizer).find(text)[0]
    assert text[first.start : first.end] == "chcę się zabić"


def test_a_long_message_is_read_in_time(normalizer: Normalizer) -> None:
    others = OtherLanguages(normalizer)
    for text in (
        " ".join(found[0] for found in DANGER.values()) * 5,
        "ich will mich " * 300,
        "死にたくない " * 500,
    ):
        start = process_time()
        others.find(text[:4000])
        assert process_time() - start < 0.5
