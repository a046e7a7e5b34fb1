"""Sentences of danger hidden by spelling, marks, letters or codes, each kind with harmless twins."""

import codecs
from time import process_time

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.normalize import Normalizer
from safety.risk import RiskAssessor

DANGER = {
    "run together": [
        "iwanttodie",
        "ijustwanttodie",
        "killmyself",
        "imgoingtokillmyselftonight",
        "iWantToKillMyself",
        "WantToDie",
        "honestly iwannadie",
        "idontwanttobehereanymore",
        "thinking ofendingmylife",
    ],
    "numbers and short forms": [
        "i want 2 die",
        "i want 2 die tonight",
        "i wna die",
        "want2die",
        "i just want too die",
        "need 2 kill myself",
        "i wanto die so much",
        "i really want two die",
        "i wnt to die",
    ],
    "pinyin": [
        "woxiangsi",
        "wo xiang si",
        "wǒ xiǎng sǐ",
        "wo3 xiang3 si3",
        "wobuxianghuole",
        "wo xiang zisha",
        "wo3 bu4 xiang3 huo2 le5",
        "wo huo bu xia qu le",
        "woxiangqusi",
    ],
    "quotation marks": [
        "I want to 'die'",
        'I "want" to die',
        'I "don\'t want" to live anymore',
        "I want to “kill” myself",
        "我想「死」",
        "我想“自杀”",
        'i just "want to" die',
    ],
    "dictation": [
        "i want to commit sue side",
        "i keep thinking about sewer side",
        "i think about sue a side every day",
        "im going to kill my cell tonight",
        "i want to kill my shelf",
        "i want to dye",
        "i googled sue a cide methods",
        "i want to over dose on my pills",
    ],
    "cut at the end of a line": [
        "I want to kill my-\nself",
        "I want to over-\ndose tonight",
        "I keep thinking about sui-\ncide",
        "I am sui-\r\ncidal again",
        "i want to dis-\n  appear forever",
        "i cant stop cut-\nting myself",
    ],
    "a word or letter a line": [
        "i\nw\na\nn\nt\nt\no\nd\ni\ne",
        "I\nwant\nto\nkill\nmyself",
        "i\nwant\n\nto\n\ndie",
        "i\r\nw\r\na\r\nn\r\nn\r\na\r\nd\r\ni\r\ne",
        "k\ni\nl\nl\nm\ny\ns\ne\nl\nf",
        "i\njust\nwant\nto\nbe\ndead",
    ],
    "tags and entities": [
        "<b>I want</b> to <i>kill</i> <u>myself</u>",
        "i want to ki<!-- -->ll myself",
        "我想<b>自</b>杀",
        "I&nbsp;want&nbsp;to&nbsp;die",
        "我想&#33258;&#26432;",
        "我想&amp;#33258;&amp;#x6740;",
        "I%20want%20to%20die",
        "%E6%88%91%E6%83%B3%E8%87%AA%E6%9D%80",
        "[b]I want[/b] to [i]die[/i]",
        "我想\\u81ea\\u6740",
        '<span style="color:red">I want</span><br>to die',
    ],
    "emphasis": [
        "i want to k**i**ll myself",
        "i want to **kill** _myself_",
        "i want to ||die||",
        "I want to ~~kill~~ `myself`",
        "I **want** to __die__",
        "我想**自**杀",
        "i *want to die*",
    ],
    "signs for blanks": [
        "i_want_to_die",
        "i-want-to-die",
        "i.want.to.die",
        "I+want+to+die",
        "i|want|to|die",
        "i/want/to/kill/myself",
        "I\u2800want\u2800to\u2800die",
        "I\u3164want\u3164to\u3164kill\u3164myself",
        "i\uffa0am\uffa0suicidal",
    ],
    "fancy letters": [
        "ɪ ᴡᴀɴᴛ ᴛᴏ ᴅɪᴇ",
        "🅺🅸🅻🅻 🅼🆈🆂🅴🅻🅵",
        "🅘 🅦🅐🅝🅣 🅣🅞 🅓🅘🅔",
        "ɟlǝsʎɯ llᴉʞ oʇ ʇuɐʍ I",
        "🇰🇮🇱🇱 🇲🇾🇸🇪🇱🇫",
        "𝖎 𝖜𝖆𝖓𝖙 𝖙𝖔 𝖉𝖎𝖊",
        "i wanŧ ŧø đɨe",
    ],
    "letters that look alike": [
        "ι ωαит το ∂ιє",
        "Ι ωαnτ το κιll mγsεlf",
        "Ꭵ ᎳᎪΝᎢ ᎢᎾ ᎠᏆᎬ",
        "I want to kіӏӏ mуѕеlf",
        "ꓲ ꓪꓮꓠꓔ ꓔꓳ ꓓꓲꓰ",
        "І шапт то кіӏӏ муѕеӏf",
        "I wαnt tο diε",
    ],
    "codes": [
        "49 20 77 61 6e 74 20 74 6f 20 64 69 65",
        b"I want to kill myself".hex(),
        codecs.encode("i want to kill myself", "rot13"),
        ".. / .-- .- -. - / - --- / -.. .. .",
        "flesym llik ot tnaw i",
        "".join(f"\\x{sign:02x}" for sign in b"I want to die"),
    ],
}
HARMLESS = {
    "run together": [
        "i love indie music, altogether nevertheless",
        "the custodian of the soldiers studied",
        "notwithstanding the foodies, the hoodie is mine",
        "our remedies and parodies",
        "wanttodiet together",
        "myselfie stick broke",
        "overdosage is a noun in my vocabulary list",
        "todiefor is the name of the bakery",
    ],
    "numbers and short forms": [
        "I rolled 2 die and lost",
        "I want 2 dice and 2 coffees",
        "we want too diet together",
        "I have 2 jumpers and 2 cats",
        "it is too dead a colour",
        "i want 2 tickets 4 the show",
        "I need 2 live plants",
    ],
    "pinyin": [
        "xiang si bing is lovesickness",
        "wo xiang chi fan",
        "wo xiang shui jiao",
        "wo bu xiang qu shang xue",
        "ge wang is a singer",
        "wo zai xue xi",
        "ta hen xiang ta mama",
    ],
    "quotation marks": [
        'I listen to "Kill Me" all day',
        'I want to see "Kill Bill" again',
        'we watched "Die Hard" and a comedy',
        "my 'live' show is tonight",
        'I want to "help" people',
        "我想看“死侍”",
        "我想学「活」这个字怎么写",
    ],
    "dictation": [
        "the side of the sewer smells",
        "I want to dye my hair tonight",
        "I need to charge my cell",
        "put it on the shelf",
        "sue is on our side",
        "we slide down the side",
        "she is going to dye the curtains",
    ],
    "cut at the end of a line": [
        "a well-\nknown bakery",
        "my mother-\nin-law cooks",
        "the long-\nest day of the year",
        "we had a re-\nunion",
        "it is my self-\nmade cake",
        "over-\nall it was a good day",
    ],
    "a word or letter a line": [
        "a\nb\nc",
        "milk\neggs\nbread\nrope",
        "roses\nare\nred",
        "x\ny\nz",
        "one\ntwo\nthree",
        "hello\nhow\nare\nyou",
    ],
    "tags and entities": [
        "Is it true & why <b>not</b>",
        "x &lt; 5 and y &gt; 3",
        "a 50%20 discount",
        "tom &amp; jerry are fun",
        "https://example.org/a%20b/to?x=1&y=2",
        "i <3 this song",
        "<p>we had <i>soup</i></p>",
        "C:\\users\\anna",
    ],
    "emphasis": [
        "this is **so** good",
        "f**k this traffic",
        "2 * 3 * 4 = 24",
        "snake_case and kebab_case",
        "I ~~hate~~ love mondays",
        "||the butler did it||",
        "what a *lovely* day",
    ],
    "signs for blanks": [
        "my mother-in-law came",
        "a day-to-day job",
        "www.want.to.travel.org",
        "see /home/anna/to/do",
        "end_of_line",
        "read/write/run",
        "it\u3164is\u3164sunny\u3164today",
    ],
    "fancy letters": [
        "ɢᴏᴏᴅ ᴍᴏʀɴɪɴɢ",
        "🅷🅴🅻🅻🅾",
        "our 🇩🇪 and 🇦🇹 friends came",
        "ʎɐp ǝɔᴉu ɐ ǝʌɐɥ",
        "𝓱𝓪𝓹𝓹𝔂 𝓫𝓲𝓻𝓽𝓱𝓭𝓪𝔂",
        "the word is said /ˈwɜːd/",
        "Søren and Łukasz",
    ],
    "letters that look alike": [
        "Я хочу поехать на море, мне нравится так",
        "Θέλω να πάω στη θάλασσα το καλοκαίρι",
        "так он нас там ждёт",
        "Το βιβλίο είναι στο τραπέζι",
        "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
        "α and β are angles",
        "σ of the sample is 2",
    ],
    "codes": [
        "550e8400-e29b-41d4-a716-446655440000",
        "---------- . . . . . . . . --------",
        "the colour is a0 b1 c2 d3 e4 f5",
        "... --- ... ... --- ...",
        b"see you at the station".hex(),
        codecs.encode("have a nice day", "rot13"),
        "deadbeef cafebabe",
    ],
}


@pytest.mark.parametrize("text", [text for texts in DANGER.values() for text in texts])
def test_a_hidden_sentence_of_danger_brings_help(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert found.level >= RiskLevel.MODERATE
    assert found.matches[0].category in {"suicide", "self_harm", "substance"}
    assert not found.failed_layers


@pytest.mark.parametrize("text", [text for texts in HARMLESS.values() for text in texts])
def test_its_harmless_twin_is_calm(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.NONE


def test_every_kind_has_six_examples_of_danger_and_six_twins() -> None:
    assert DANGER.keys() == HARMLESS.keys()
    assert all(len(texts) >= 6 for texts in (*DANGER.values(), *HARMLESS.values()))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Hi &amp; hello, <i>I want</i> to <b>die</b>. Bye", "want</i> to <b>die"),
        ("so&nbsp;then: iwanttodie, really", "iwanttodie"),
        ("Good day. I want to ki<!-- -->ll my-\nself, you know", "want to ki<!-- -->ll my-\nself"),
        ("今天<b>还行</b>。我想&#33258;杀", "想&#33258;杀"),
    ],
)
def test_staff_are_shown_the_words_as_they_were_written(
    assessor: RiskAssessor, text: str, named: str
) -> None:
    first = assessor.assess(text, SessionRisk()).matches[0]
    assert text[first.start : first.end] == named


@pytest.mark.parametrize(
    "text",
    [
        "<b" * 2000,
        "<!--" * 1000,
        "&amp;" * 800,
        "%20" * 1300,
        "**a" * 1300,
        "||" * 2000,
        "a_" * 2000,
        "-\n" * 2000,
        "a\n" * 2000,
        '"a' * 2000,
        'to "a b c ' * 400,
        "ωα" * 2000,
        "ʇ" * 4000,
        ".- " * 1300,
        "ab " * 1300,
        "wantto" * 600,
        "todie" * 800,
        "want to 2" * 440,
        "[b][i]" * 660,
        "\\u81ea" * 660,
        "\u3164a" * 2000,
        "xiang si " * 440,
    ],
)
def test_no_repetition_slows_the_folding_down(normalizer: Normalizer, text: str) -> None:
    start = process_time()
    normalizer.normalize(text)
    assert process_time() - start < 0.5
