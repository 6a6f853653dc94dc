package clean

// maxCredit is the longest credit, in words.
const maxCredit = 16

// set returns a set of texts.
func set(texts ...string) map[string]bool {
	out := map[string]bool{}
	for _, text := range texts {
		out[text] = true
	}
	return out
}

// Whisper and its kin learnt from subtitles, and write over silence and noise what subtitles have
// there. All texts here are as letters makes them of each word.
var (
	// unspoken are parts of credits that are never spoken.
	unspoken = []string{
		"amara org", "amaraorg", "untertitelung des zdf",
		"untertitel von stephanie geiges",
		"swr 20", "sous titrage st", "soustitrage st", "transcription by castingwords",
		"subtítulos realizados por", "subtítulos por la comunidad", "soustitres réalisés", "sous titres réalisés",
		"sottotitoli e revisione a cura", "sottotitoli creati dalla", "ondertiteld door", "legendas pela comunidade",
		"untertitelung im auftrag des", "untertitelung aufgrund der", "untertitel im auftrag des", "wdr mediagroup",
		"sous titrage société", "soustitrage société", "sous titrage mfp", "soustitrage mfp",
		"sous titres faits par", "soustitres faits par", "sous titres par la communauté",
		"subtitulado por la comunidad", "sottotitoli a cura di", "sottotitoli di qtss", "ondertitels ingediend door",
		"transcrição e legendas", "субтитры подогнал", "редактор субтитров", "dimatorzok",
		"napisy stworzone przez społeczność", "titulky vytvořil johnyx", "danske tekster af nicolai",
		"scandinavian text service",
		"magyarul felirat", "altyazı mk", "υπότιτλοι authorwave", "ghiền mì gõ", "ترجمة نانسي قنقر",
		"字幕由", "字幕by", "字幕製作", "字幕制作", "字幕志愿者", "請不吝點贊", "请不吝点赞", "明鏡與點點", "明镜与点点",
		"优优独播剧场", "자막 제공 및", "한글자막 by",
	}

	// headings begin credits; within a sentence they may be spoken.
	headings = []string{"subtitles by the", "captions by"}

	// credits are whole utterances that end films; some are spoken indeed.
	credits = set(
		"thank you for watching", "thanks for watching", "thank you very much for watching",
		"thank you so much for watching",
		"thanks for watching and ill see you in the next video", "ill see you in the next video",
		"see you in the next video",
		"see you next time", "please subscribe", "please subscribe to my channel", "like and subscribe",
		"dont forget to subscribe",
		"vielen dank fürs zuschauen", "danke fürs zuschauen", "vielen dank für die aufmerksamkeit",
		"bis zum nächsten mal",
		"merci davoir regardé", "merci davoir regardé cette vidéo", "merci davoir regardé la vidéo", "abonnezvous",
		"gracias por ver", "gracias por ver el video", "gracias por ver el vídeo", "gracias por ver este video",
		"suscríbete al canal",
		"grazie per aver guardato", "grazie per aver guardato il video", "grazie per la visione", "iscriviti al canale",
		"obrigado por assistir", "bedankt voor het kijken", "tack för att ni tittade", "dziękuję za oglądanie",
		"спасибо за просмотр",
		"продолжение следует", "ご視聴ありがとうございました", "感谢观看", "谢谢观看", "謝謝觀看", "시청해주셔서 감사합니다",
		"спасибо за внимание", "подписывайтесь на канал", "подписывайтесь на мой канал", "дякую за перегляд",
		"izlediğiniz için teşekkür ederim", "izlediğiniz için teşekkürler", "abone olmayı unutmayın",
		"děkuji za pozornost", "děkuji za sledování", "köszönöm hogy megnézted", "köszönöm a figyelmet",
		"vă mulțumesc pentru vizionare", "tak for at se med", "takk for at du så på", "kiitos kun katsoit",
		"inscrevase no canal", "inscrevase no nosso canal", "até o próximo vídeo", "nos vemos en el próximo video",
		"à bientôt pour une nouvelle vidéo", "ci vediamo nel prossimo video", "bis zum nächsten video",
		"terima kasih telah menonton", "terima kasih kerana menonton", "cảm ơn các bạn đã theo dõi",
		"hãy subscribe cho kênh", "اشتركوا في القناة", "شكرا للمشاهدة", "תודה שצפיתם",
		"チャンネル登録をお願いします", "チャンネル登録よろしくお願いします", "最後までご視聴ありがとうございました", "最後までご視聴いただきありがとうございます",
		"多谢您的观看", "下期再见", "下集再見", "구독과 좋아요 부탁드립니다", "다음 영상에서 만나요", "시청해 주셔서 감사합니다",
	)

	// fillers are whole utterances that models write where they hear nothing.
	fillers = set(
		"you", "thank you", "thank you very much", "thank you so much", "thanks", "bye", "bye bye", "byebye", "so",
		"oh", "uh", "um", "hmm", "mm", "mmm",
		"okay", "yeah", "the", "i", "danke", "vielen dank", "tschüss", "merci", "gracias", "grazie", "obrigado",
		"amen", "ähm", "äh", "euh",
	)

	// sounds are words that describe what is heard and not said.
	sounds = set(
		"music", "applause", "laughter", "laughs", "laughing", "chuckles", "silence", "silent", "inaudible",
		"unintelligible", "noise",
		"static", "coughs", "coughing", "cough", "sighs", "sigh", "breathing", "clapping", "cheering", "cheers",
		"crying", "screaming",
		"beep", "beeping", "ringing", "typing", "footsteps", "wind", "foreign", "blankaudio", "blank", "sound",
		"sounds", "gasps", "groans",
		"whispering", "humming", "singing", "speaking", "clears", "crosstalk", "indistinct", "bell", "buzzing",
		"barking", "thud",
		"musik", "applaus", "gelächter", "lachen", "lacht", "stille", "unverständlich", "räuspert", "husten",
		"musique", "applaudissements", "rires", "bruit", "inaudibles", "silences", "toux",
		"música", "musica", "aplausos", "risas", "ruido", "silencio", "inaudible", "tos",
		"applausi", "risate", "rumore", "silenzio", "musicale", "tosse", "muziek", "applåder", "музыка",
		"аплодисменты", "смех",
		"muzyka", "oklaski", "śmiech", "музика", "оплески", "сміх", "hudba", "potlesk", "smích", "zene", "taps",
		"muzică", "aplauze", "râsete", "müzik", "alkış", "gülüşmeler", "musiikkia", "musiikki", "naurua", "musikk",
		"latter", "skratt", "nhạc", "ดนตรี", "เพลง", "संगीत", "موسيقى", "تصفيق", "מוזיקה", "μουσική",
		"音楽", "拍手", "笑い", "笑", "音乐", "音樂", "掌声", "掌聲", "笑声", "笑聲", "음악", "박수", "웃음",
	)
)
