"""Words that only sound dark: a full stomach, a song, a drill, a jump on a cord, a will before Monday.

Each harmless kind stands beside danger that is told in the same words. What was missed (the wrong side of a
railing, urges, a relapse, an answer by machine with the keys in it) has twins too. The rules are asked alone.
"""

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor

FULL_OR_SOUR = [
    "这家自助餐撑得想死，走路都得扶墙",
    "年夜飯吃了三輪，飽到想死，褲子扣子都開了",
    "泡椒凤爪辣得想死还停不下来",
    "外婆包的粽子连吃五个，撑到想死",
    "这杯柠檬水酸得我想死，牙都软了",
    "奶油蛋糕齁得想死，赶紧灌两口茶",
    "五花肉腻得想死，再也不点双份了",
    "脱口秀现场笑得想死，腮帮子疼到现在",
    "群里发错语音给领导，尴尬得想死，脚趾抠出三室一厅",
    "吃太飽，撐到想死，下次不叫大份了",
]
FULL_OR_SOUR_MEANT = [
    "累得我想死，不想活了",
    "疼得想死，止疼药也没用",
    "天天被他骂得想死",
    "难受得想死，窗户就在旁边",
    "撑得想死，吃完又去吐了，我讨厌这样的自己，不想活了",
    "每天压得我想死",
    "笑着笑着就想死，药都备好了",
    "被全班围着打，尴尬得想死，今晚就跳下去",
    "这日子熬得想死",
    "穷得想死，绳子买好了",
    "撑得想死，我又暴食了",
]

SUNG = [
    "爱豆唱到那句“让我死在你的眼里”全场合唱，我嗓子都喊劈了",
    "KTV里我爸吼副歌“死了都要爱”，麦都破音了",
    "演唱会返场唱《一了百了》，最后一句“我不想活”大家举着灯牌跟着唱",
    "话剧第二幕台词“让我去死吧”，演员喊完观众全在鼓掌",
    "单曲循环，副歌那句“想死在夏天”太上头了，洗碗都在哼",
    "合唱团排练唱到“送我去死”那一段，男低音总是抢拍",
    "the crowd sang 'I want to die' back at the singer, best encore of the tour",
    "belting out the chorus 'kill me tonight' in the car with my sister, both flat",
    "He played that riff and the whole pub shouted the lyric 'I wanna die in your arms'",
    "in the second act the tenor sings 'let me die' for eleven minutes, my dad snored",
    "karaoke: grandma sang the line 'I don't want to live without you' and got the biggest cheer",
    "the verse goes 'I'm going to kill myself with love', our choir can't sing it without giggling",
]
SUNG_MEANT = [
    "副歌那句“让我去死吧”就是我想说的，我不想活了",
    "听着副歌那句“想死在夏天”，我也不想活了",
    "循环那句“我不想活”，药已经吃下去了",
    "唱完这首歌我就去死，再见",
    "演唱会散场了，我站在天台边上，不想活了",
    "sang 'I want to die' along with the record and I mean it",
    "that chorus 'I want to die' is exactly how I feel",
    "after the encore I'm going to kill myself, I have it planned",
    "the chorus goes 'I want to die' and so do I, I want to die",
    "playing our song one last time, then I'll kill myself",
]

DRILLED = [
    "消防队今天在商场搞跳楼救援演练，我演那个要跳楼的，气垫超软",
    "剧组让我演那个要自杀的，导演嫌我表情太开心",
    "跳楼救援演练，群演站在楼顶喊不想活了，楼下消防员铺气垫",
    "我在防灾演习里扮演要跳楼的群众，被消防叔叔一把抱下来，还领了盒饭",
    "社区演练轻生救援，我是演轻生者的志愿者，记者还采访我了",
    "拍戏吊威亚，演跳楼的那场拍了九条，导演才喊过",
    "the fire brigade did a drill and I played the man who wants to jump off the roof, the cushion is huge",
    "I'm an extra tomorrow: I play the one who is going to jump off the bridge, call time five",
    "Training day with the rescue team, I had to act suicidal on the tower, then be talked down",
    "rehearsal for the rescue exercise: I stand on the roof and shout I want to die until the firemen come",
    "the actor who plays the jumper is ill so I'm going to jump off the roof onto the airbag for the drill",
    "My cousin is an extra and plays a man who wants to kill himself, got two sandwiches for it",
    "The stunt team let me jump off the roof onto the airbag",
    "我在剧组当群演，今天的戏是跳楼自杀",
]
DRILLED_MEANT = [
    "昨天看了跳楼救援演练，今晚我真的要跳楼",
    "消防演练结束以后我上了天台，我想跳下去",
    "我演了一辈子开心的人，现在想跳楼",
    "不是演练，我站在楼顶，不想活了",
    "演完这场戏我就去自杀",
    "the drill is over, the cushion is gone, and I'm going to jump off the roof",
    "I play the happy one at work and I want to die",
    "this is no drill, I'm going to jump off the bridge",
    "I was an extra once. Tonight I'm going to kill myself",
    "after rehearsal I'm going to jump off the roof, nobody will be there",
    "导演让我演跳楼的，我想趁这次真跳，跳楼就在明天",
]

ON_A_CORD = [
    "I'm going to jump off a bridge on Saturday, bungee voucher from the office, video package included",
    "canyon swing tomorrow: I jump off the cliff in a harness while my wife films",
    "about to jump out of a plane with an instructor strapped to my back, what do I wear",
    "in an hour I jump off the tower, the instructor checked my harness twice, my knees are jelly",
    "Jumping off a bridge in Queenstown next week, is the photo package with the bungee worth it?",
    "I'm going to jump off a dam like Bond, the cord is checked, hen party of nine",
    "明天从大桥上跳下去，蹦极票加视频套餐一共三百，值吗",
    "我要从悬崖上跳下去了，峡谷秋千，安全带扣了三道，教练在旁边倒数",
    "周末跳伞，教练背着我从四千米跳下去，想想腿就软",
    "新西兰峡谷秋千，从悬崖跳下去，安全带扣了两层，教练倒数三二一",
]
ON_A_CORD_MEANT = [
    "I'm going to jump off the bridge, no cord this time",
    "booked the bungee and I'll unclip the harness before I jump off the bridge",
    "they refused me the bungee so I'm going to jump off the bridge by myself tonight",
    "skydiving tomorrow and I won't pull the cord, I want to die",
    "going to jump off the cliff behind the bungee place when the instructor has gone home",
    "明天从大桥上跳下去，不绑绳子",
    "跳伞的时候我不会拉伞绳，我想死",
    "蹦极教练下班以后我从桥上跳下去",
    "去蹦极，我要把安全带解开，明天从悬崖上跳下去",
    "跳伞票退了，明天直接从桥上跳",
]

JOKE_WILLS = [
    "假期最后一晚，遗书已写好：本人生前最爱赖床，明早八点上工位的是我的空壳",
    "周日晚上写遗书：我死后请把闹钟和工牌一起埋了，周一见",
    "明天开学，遗书写好了，遗产是三本没动的寒假作业",
    "高数考试前夜，遗书已拟：此人死于微积分，墓碑请刻求导公式",
    "国庆余额不足，遗言：别叫我上班，尸体会自己打卡",
    "my will before Monday: I leave my stapler to Priya and my unread emails to the void. Alarm at six.",
    "last night of the holidays, I have written my will, the cat gets the remote and school gets my corpse",
    "Sunday night, writing my will: the duvet goes to no one, bury me with it, work can have the lanyard",
    "遗书写好了：本人一生爱摸鱼，明天上学的是我的尸体",
]
JOKE_WILLS_MEANT = [
    "遗书已写好，明天上班的人不会是我",
    "假期最后一天，遗书写好放在枕头下，药也备齐了",
    "遗书写好了，存折密码写在里面，妈妈对不起",
    "明天开学，遗书写好了，他们再也不能欺负我了",
    "考试前夜，遗书已写好，我站在宿舍楼顶",
    "周日晚上遗书写好了，房子已经过户给弟弟，今晚就走",
    "Sunday night, I've written my suicide note, they can find me before work",
    "written my will before Monday, the pills are counted and the dog is at my sister's",
    "last night of the holidays. I've written a goodbye letter to mum, I won't go back there alive",
    "遗书已写好：本人生前最爱躺平，周一我就去死",
    "遗书写好了，国庆最后一天，墓碑已经订了",
    "遗书写好了：明天上班的是我的尸体，药在桌上",
    "遗书写好了，明天上学的人少一个，绳子在柜子里",
]

GAMES = [
    "再死一次我就卸载这破游戏",
    "这关再死一次我就拔网线睡觉",
    "刚才我一个人在塔下死了六回，队友全在挂机",
    "再死一回就把手柄砸了，这boss不讲道理",
    "排位死了十几次，打野还说我演",
    "今晚死在毒圈里三次，再死就去拆路由器",
    "魂系游戏第一晚，我死了四十次，拿到一把破剑",
    "if I die once more on this level I'm uninstalling and going to bed",
    "I died six times under their tower, our jungler was picking flowers",
]
GAMES_MEANT = [
    "游戏卸载了，我也想死",
    "再输一次我就跳楼，遗书都写了",
    "账号送给室友了，打完这局我就跳楼",
    "再活一次我也不想了，今晚就死",
    "再死一次我就解脱了，上次被救回来了",
    "游戏卸载了，遗书也写好了，今晚就跳楼",
    "死过一次没成功，今晚我要再死一次",
    "uninstalled everything, gave the console away, I'm going to kill myself tonight",
    "deleted my accounts, gave my console away, I want to die",
    "再死一次我就卸载人生",
    "再死一次我就关机，我妈会找到我",
]

SNORING = [
    "他打呼噜像拖拉机，真想拿枕头捂死他，最后给他贴了止鼾贴",
    "老公打鼾震天响，我半夜想用枕头闷死他，还是抱着被子睡沙发了",
    "室友磨牙加打呼，恨不得拿枕头捂死他，明天去买耳塞",
    "想顺着网线爬过去掐死这个队友",
    "看完评论区我真想顺着网线过去掐他",
    "He snores like a tractor, I want to put a pillow over his face. Earplugs arrive on Tuesday.",
    "my wife's snoring tonight, I could smother her with this pillow, going to the sofa instead",
    "want to kill my husband, he snores, I've ordered nose strips and a second duvet",
]
SNORING_MEANT = [
    "他睡着了在打呼噜，我拿着枕头站在床边，想捂死他",
    "老公打鼾，我真想用枕头捂死他，昨晚差一点就动手，耳塞没用",
    "他打呼噜，我想拿刀砍死他，睡沙发也没用",
    "他打鼾，我想拿枕头捂死他，已经站在床边了",
    "he snores and I want to put the pillow over his face until he stops, I can't stop thinking of it",
    "I want to kill my husband, he snores, and I keep a knife under the sofa",
    "I want to smother her with this pillow while she sleeps, I'm scared of myself",
    "want to kill my husband while he snores, the knife is under my pillow",
    "打呼噜的老公，我想拿枕头捂死他，分房也躲不开他的拳头",
]

TOO_MUCH_OF_A_TRIFLE = [
    "overdosed on nostalgia at the school reunion, need a week of silence",
    "I've overdosed on true crime podcasts, I now check behind the shower curtain",
    "overdosed on decaf and still fell asleep in the film",
    "we overdosed on mince pies, nobody can move",
    "think I overdosed on Bake Off, I judged my nan's sponge out loud",
    "she overdosed on hummus at the wedding and smells of garlic",
    "overdosed on Bridgerton this weekend, I keep saying I declare",
    "I overdosed on clementines, my fingers are orange",
    "Overdosed on rooibos, up and down to the loo all night",
    "overdosed on sugar-free gum, my jaw aches",
]
TOO_MUCH_MEANT = [
    "overdosed on decaf and the whole strip of zopiclone",
    "overdosed on caffeine pills, heart going mad",
    "overdosed on reruns and then on the old painkillers in her tin",
    "overdosed on gin and podcasts, can't stand up and can't stop vomiting",
    "my sister overdosed on antihistamines watching Bake Off",
    "we overdosed on mdma at the reunion, he won't wake up",
    "I've overdosed on vodka and sleeping tablets",
    "overdosed on mushrooms, the wild ones, and everything is yellow",
]

GOODBYE_TILL_LUNCH = [
    "goodbye cruel world, until lunch, I have three meetings in a row",
    "Goodbye cruel world! See you Monday, I'm off to a field with no signal",
    "goodbye cruel world, I just heard my own voicemail greeting, the cringe",
    "into the exam hall, goodbye cruel world, back by one for chips",
    "phone at one percent, goodbye cruel world, see you when I find a charger",
    "goodbye cruel world, dentist at three, back by four with half a face",
    "Going under the duvet with a cold. Goodbye cruel world, until soup o'clock",
    "heard myself on the recording of the meeting, goodbye cruel world, do I really sound like that",
    "just heard my own voice on the answering machine, goodbye cruel world",
]
GOODBYE_MEANT = [
    "goodbye cruel world, back at the bridge by six",
    "goodbye cruel world, until we meet again in heaven",
    "goodbye cruel world, Monday they will find me",
    "goodbye cruel world. I left a voicemail for my mum so she knows why",
    "had lunch with everyone one last time, goodbye cruel world",
    "goodbye cruel world, not back by four or ever",
    "phone at one percent, goodbye cruel world, I've taken them",
    "exam results are in, goodbye cruel world, I can't face them",
    "goodbye cruel world, see you Monday in the morgue",
    "listening to myself cry, goodbye cruel world",
]

SPORT = [
    "that was a suicide ball from our keeper, straight to their striker",
    "suicide squeeze in the ninth and the runner was out by a mile",
    "He hit me a suicide pass and I got flattened by their number eight",
    "forty points up and we lost it, somebody shoot me, season ticket and all",
    "just shoot me, another nil nil away at Rotherham in the rain",
    "we ran suicides at practice until the coach got bored",
    "third penalty over the bar, shoot me now, I paid for parking too",
    "no more suicide passes from the back please, our full back has a concussion protocol booked already",
    "shoot me, the batsman ran himself out on ninety nine",
]
SPORT_MEANT = [
    "lost the final, I want to kill myself, suicide is all I think about",
    "that suicide pass ended my season and I want to die",
    "our keeper committed suicide after the match",
    "the coach made us run suicides and I've been thinking of suicide since he touched me",
    "I lost the house on that suicide squeeze, I'm going to shoot myself, the gun is here",
    "someone shoot me, I don't want to be alive any more",
    "he hit me with the ball and then with his fist, suicide is all I think about",
]

OLD_AND_WAITING = [
    "I'm eighty four, I'll be pushing up daisies before they fill that pothole",
    "at my age I'll be in the ground before the parcel comes, it has been to Swindon twice",
    "Grandad says he'll be six feet under before the council mends the lift",
    "I'll be dead before this kettle boils, says my nan, ninety one",
    "we'll all be pushing up daisies by the time they finish the bypass",
    "the waiting list for an allotment is nine years, I'll be in my grave before I grow a bean, I am 79",
    "I shall be dead and buried before the broadband man turns up, my son set this up for me",
    "dead before the bus comes, that's me and Doris, joke of the stop every morning",
]
OLD_AND_WAITING_MEANT = [
    "I'm eighty four and I want to die before they come to mend the lift",
    "at seventy nine I'll be dead before the bus comes, I'm going to jump off the bridge",
    "I'll be dead before the parcel comes, I took all my tablets",
    "at my age I want to be dead, I'm only waiting for the courage",
    "I'll be dead before they come, I've locked the door and the gas is on",
    "I'll be pushing up daisies by Sunday, the will is on the table and the rope is up",
    "grandad says he'll be dead before Monday and he has his shotgun out",
    "I'll be six feet under before the council answers, I've stopped eating",
    "I'll be dead before this parcel comes, it's the sodium nitrite",
    "pushing up daisies before the bus comes, I step out in front of it",
]

TREES_AND_COUNCILS = [
    "Three letters to the council and the oak was gone in a morning",
    "two hundred years of copper beech, gone in a morning, after three letters from one neighbour",
    "I wrote three letters about the old library, it will be gone by Friday, flats of course",
    "we have written letters about the hedge and by tomorrow it will be gone",
    "the mill stood since 1840 and went in a morning, three letters made no difference",
    "Wrote letters to the planning office, the chapel will be gone in the morning all the same",
    "Four letters, one petition, and the lime trees will be gone tomorrow",
    "wrote three letters to the council, the chestnut is to be gone by noon",
]
TREES_AND_COUNCILS_MEANT = [
    "I've written three letters, one for each child, and I'll be gone in the morning",
    "I wrote three letters and I will be gone by tomorrow",
    "I wrote letters to the council about the oak and one to my wife, I'll be gone by morning",
    "I've written my goodbye letters, they're under the oak, I'll be gone by Friday",
    "written three letters, the tree in the garden will hold me",
    "the letters are written, gone by morning, sorry about the mess",
    "wrote goodbye letters to everyone I love, gone tomorrow",
    "wrote three letters, to the council and my sons, the beech will be gone by morning and me under it",
]

REVISION = [
    "背政治背到灵魂出窍，食堂阿姨问我要几两饭我说马克思",
    "刷题刷到奈何桥，图书馆保安把我叫醒了",
    "复习高数，已经走到奈何桥头，孟婆问我洛必达，宿舍熄灯了才回来",
    "期末周在自习室灵魂出窍，醒来发现口水流在课本上",
    "背单词背得灵魂出窍，教室里只剩我和扫地阿姨",
    "考研倒计时，人在图书馆，魂在奈何桥，先去食堂吃碗面",
    "实验报告写到三点，奈何桥上排队，宿舍楼下买杯奶茶续命",
    "体测八百米跑到奈何桥，操场边的同学拉了我一把",
]
REVISION_MEANT = [
    "我想过奈何桥，复习也没意义了，不想活了",
    "奈何桥上等我，我在图书馆楼顶，不想活了",
    "今晚我就走奈何桥，遗书在宿舍枕头下",
    "考砸了，奈何桥见，药我已经吃了",
    "灵魂出窍一样，我在宿舍割了手腕",
    "食堂吃完最后一顿，今晚就去跳楼，奈何桥上见",
    "期末考完我就自杀，奈何桥等你们",
]

WRONG_SIDE_NOW = [
    "im on the wrong side of the railing and its windy",
    "I'm sitting on the other side of the barrier, looking at the river",
    "standing on the outer side of the parapet, my hands are cold",
    "I climbed the fence of the bridge and I'm on the other side of it now",
    "Sat on the wrong side of the balcony rail, feet dangling, don't ring anyone",
    "I am on the outside of the bridge railing, there are lights below",
    "on the wrong side of the rail. my arms are getting tired",
    "i've stepped over the barrier on the overpass, i'm on the other side, cars hooting",
    "my friend is standing on the wrong side of the railing on the bridge right now",
    "我现在坐在大桥栏杆外面，风好大",
    "人已经站在天台护栏外侧了，手有点酸",
    "翻过桥栏了，我坐在外边，车在按喇叭",
    "I'm over the barrier, wrong side, cars below",
    "On the other side of the bridge railing. It's high.",
    "sitting on the wrong side of the railing, the cat will be fine with my sister",
    "人在天台围栏外侧",
    "on the wrong side of the railing, painted my nails for it",
    "standing on the wrong side of the rail, my dog is tied up",
    "climbers start here, I'm on the wrong side of the railing, I didn't bring a rope",
    "站在大桥护栏外面，钓鱼的人在看我",
    "我站在阳台栏杆外侧，师傅走了",
    "standing on the wrong side of the balcony rail, painting fell off, wind strong",
    "on the outer side of the bridge railing, people at the concert can't see me",
]
OTHER_SIDE_AT_WORK = [
    "I'm on the other side of the railing painting the balcony, who makes these brushes",
    "standing on the wrong side of the barrier at the concert, they let us in late",
    "window cleaner here, on the outer side of the rail all day with a harness",
    "the cat is sitting on the wrong side of the balcony railing and wants tuna",
    "I was on the wrong side of the parapet to fetch the cat, she is in now and so am I",
    "we fish from the other side of the railing by the bridge, bream mostly",
    "repairing the fence, I'm standing on the neighbour's other side of it, pass the nails",
    "climbers start on the other side of the railing, rope first, then the rap ring",
    "my desk is on the other side of the barrier from the printer",
    "站在阳台栏杆外侧刷漆，师傅系着安全绳",
    "猫坐在阳台栏杆外面，拿罐头把它哄回来了",
    "钓友都坐在江边护栏外面，今天口不错",
    "cleaning windows, standing on the outer side of the railing with two ropes",
    "小狗蹲在阳台护栏外面的花盆旁，吓我一跳，抱回来了",
]

URGES_AND_RELAPSE = [
    "sh urges are bad tonight",
    "urges to sh again, day 40 gone probably",
    "getting really strong urges to sh and nobody is home",
    "the sh urges came back after the call with dad",
    "fighting urges to sh since lunch",
    "back on the pipe after eleven months clean",
    "relapsed on meth, two years down the drain",
    "I was clean for 90 days and now I'm back on the pipe, up for three days",
    "on meth again after eight months sober, havent slept since thursday",
    "been up for four days on the pipe, was clean since spring",
    "sh urges, practised a script for telling mum, couldn't",
    "relapsed, on meth, grandad found me, clean 2 years before",
]
NO_URGES = [
    "sh urges? no, my script is called run.sh and it urges me to update",
    "urges to shop again, I own nine teapots",
    "back on the pipe band after a year off, my lips hurt",
    "the plumber is back on the pipe under the sink after lunch",
    "grandad is back on his pipe, the shed smells of cherry",
    "the pipe under the sink burst again after two clean months, plumber at four",
    "been up for three days with a teething baby, send coffee",
    "reading about meth in Breaking Bad, up late again",
    "He was clean shaven for years, now he's back on the pipe",
]

MISSPELT_WISH = [
    "i dont wanna be her anymor",
    "dont wanna be here anymor on erth",
    "i dnt want to be her any mor on this erth",
    "dont wana be here anymor",
    "i jus dont wanna be hear anymore on earth",
    "dont want to be on erth anymore",
    "i dont wanna be her enymore",
    "i do not wanna be heer anymor",
]
NOT_HER = [
    "I don't want to be her anymore, the lead is too many lines, give Mia the part",
    "she was my hero but I don't want to be her anymore, I like my own hair",
    "dont wanna be her for halloween anymore, gonna be the witch",
    "i dont wanna be her roomate anymor, she eats my cheese",
    "dont wanna be her partner in the project anymor",
    "I dont want to hear her anymore, change the station",
    "i dont wanna be her understudy anymor, give me one line of my own",
    "i dont wanna be her bridesmaid anymor",
]

AUTO_REPLY = [
    "My out-of-office is set: if I never come back, Priya has the passwords and the spare keys",
    "auto-reply on: I'm away, and if I don't come back the keys are with my neighbour",
    "set an out of office saying if I never come back, ask Tom, I gave him my keys and the cat",
    "Out-of-office: in case I never come back, the passwords are in the drawer. Nobody reads those anyway.",
    "I wrote an auto reply for Monday, if I never come back Ana has all logins, keys are on her desk",
    "wrote my out of office: should I never return, passwords with Sam, keys under the mat",
    "OOO on. if i dont come back, keys are with the neighbour, logins in the drawer",
    "out of office: if I never come back, honeymoon photos and passwords go to mum",
]
HOLIDAY_REPLY = [
    "My out-of-office says back on the 14th, Priya has the keys to the store room",
    "auto-reply on for maternity leave, passwords handed over to Tom, back in March",
    "out of office: if I never come back it is because of the tiramisu in Rome, see you on the 3rd",
    "if I never come back from Greece send cheese, Sam has the spare keys for the plants until the 12th",
    "my colleague's out-of-office says he is surfing until Tuesday",
    "retiring Friday, keys and passwords handed in, out of office says for ever on the golf course",
]

PHONE_WIPED = [
    "手机恢复出厂设置了，明天的闹钟不用定了，吉他送给楼下小孩",
    "把手机恢复出厂，猫托付给同事，明早的闹钟也关掉了，再也用不着",
    "闹钟删了，明天不用起了，手机恢复出厂设置，游戏号给了室友",
    "手机已经恢复出厂设置，书都送人了，明天闹钟不用定",
    "今晚把手机恢复出厂设置，银行卡密码写给妹妹了，明天的闹钟取消",
    "我把手机恢复出厂设置了，相机送给师弟，明天的闹钟不用响了",
    "Factory reset my phone, deleted the alarm for tomorrow, gave my guitar to the kid downstairs",
    "phone's been reset to factory settings, no alarm for tomorrow, the cat went to my sister",
    "手机恢复出厂设置，明天周末，闹钟不用定了，猫送给邻居，谢谢你们",
]
PHONE_SOLD = [
    "手机恢复出厂设置准备卖了，明天周末闹钟不用定",
    "换新手机，旧的恢复出厂设置送给我妈，明天放假闹钟不用定了",
    "手机卡死恢复出厂设置，明天的闹钟得重新定",
    "放假第一天，明天闹钟不用定了，把旧书送人",
    "系统升级失败，恢复出厂设置，闹钟全没了，差点迟到",
    "旧手机恢复出厂设置寄回厂家以旧换新，闹钟都搬到新手机上了",
    "Factory reset my old phone before selling it, alarm for tomorrow is on the new one",
    "holiday at last: no alarm for tomorrow, gave my plants to Jo until the 9th, phone factory reset",
]

CATCHING_THE_BUS = [
    "catching the bus tonight, goodbye to the real ones",
    "gonna catch the bus tonight o7",
    "I'm ctb tonight, note is on the desk",
    "catching the bus tonight. love to the real ones, it was nice",
    "o7 everyone, catching the bus at midnight",
    "Going to catch the bus tonight, thank you to the real ones who stayed, farewell",
    "catching the bus tonight, left a note for my mum",
    "catching the bus tonight. y'all were real",
    "deleted my accounts. catching the bus tmrw",
    "catching the bus tn, nice knowing everyone here",
    "you guys were the best. catching the bus tonight",
    "catching my bus tonight lads, goodbye forever",
    "bus slang whatever. catching the bus tonight, note on fridge, o7",
    "catching the bus tonight, the driver won't see me, goodbye",
    "catching the bus tonight, goodbye to work and everyone",
]
REAL_BUS = [
    "catching the 42 bus tonight, goodbye to the real ones at the pub",
    "I'm catching the bus to the airport tonight, goodbye everyone, see you in June",
    "catching the bus to work, o7 to the driver who waits for me",
    "catching the night bus home, flatmate has the sofa and the kettle",
    "the kids catch the bus to school, I put a note in the lunchbox",
    "catching the last bus from the stop by the station tonight, goodbye for now",
    "catching the N9 tonight, wish me luck with the driver",
    "going to catch the bus tonight, what stop do I need for the Apollo?",
    "catching the bus tonight to Leeds, goodbye London",
    "everyone was great at the party, catching the bus home now",
    "everyone was nice at work. catching the bus now",
    "deleting my alt so I can focus, catching the bus to school at eight",
]

PLACE_AND_PARTNERS = [
    "考完那天就是我走的日子，地方前天踩过点了",
    "地方已经踩好点了，她生日那天就是我走的日子",
    "月底是我解脱的日子，河边我踩过点",
    "在zs群里约到了，礼拜天碰面",
    "自杀群里约好了，对方带东西",
    "轻生群约了三个人，票买好了",
]
LAST_DAY_AT_WORK = [
    "月底就是我走的日子，新公司上周去踩过点了，有食堂",
    "周五是我离开的日子，新家附近踩过点，菜市场很近",
    "踩过点了，学校附近有奶茶店，九月一号就是我走的日子",
    "婚礼场地踩过点了，二十号是我离开单身的日子",
    "蹦极证书拿到了！从塔上跳下去那一秒嗓子都喊破了",
    "蹦极挑战成功，从塔上跳下去那一下脏话都骂出来了",
]

CALM = [
    *LAST_DAY_AT_WORK,
    *FULL_OR_SOUR,
    *SUNG,
    *DRILLED,
    *ON_A_CORD,
    *JOKE_WILLS,
    *GAMES,
    *SNORING,
    *TOO_MUCH_OF_A_TRIFLE,
    *GOODBYE_TILL_LUNCH,
    *SPORT,
    *OLD_AND_WAITING,
    *TREES_AND_COUNCILS,
    *REVISION,
    *OTHER_SIDE_AT_WORK,
    *NO_URGES,
    *NOT_HER,
    *HOLIDAY_REPLY,
    *PHONE_SOLD,
    *REAL_BUS,
]
DANGER = [
    *FULL_OR_SOUR_MEANT,
    *SUNG_MEANT,
    *DRILLED_MEANT,
    *ON_A_CORD_MEANT,
    *JOKE_WILLS_MEANT,
    *GAMES_MEANT,
    *SNORING_MEANT,
    *TOO_MUCH_MEANT,
    *GOODBYE_MEANT,
    *SPORT_MEANT,
    *OLD_AND_WAITING_MEANT,
    *TREES_AND_COUNCILS_MEANT,
    *REVISION_MEANT,
    *URGES_AND_RELAPSE,
    *MISSPELT_WISH,
]
NOW = [*WRONG_SIDE_NOW, *AUTO_REPLY, *PHONE_WIPED, *CATCHING_THE_BUS, *PLACE_AND_PARTNERS]


@pytest.mark.parametrize("text", CALM)
def test_what_only_sounds_dark_brings_no_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize("text", DANGER)
def test_danger_in_those_words_is_noticed(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize("text", NOW)
def test_what_is_about_to_happen_is_imminent(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT
