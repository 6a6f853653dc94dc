package llm_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/chapters"
	"steno/session/addon/entities"
	"steno/session/addon/llm"
	"steno/session/addon/nameconsistency"
	"steno/session/addon/redact"
	"steno/session/addon/remote"
	"steno/session/addon/sentiment"
	"steno/session/addon/structureddata"
	"steno/session/addon/summary"
	"steno/session/addon/translate"
)

// honest answers every task in the way it was asked to.
func honest(q question) string {
	var list []any
	each := func(f func(n int, s string) map[string]any) {
		for _, s := range q.data.Sentences {
			m := f(s.N, s.Text)
			m["n"] = s.N
			list = append(list, m)
		}
	}
	switch q.task {
	case "summary":
		if strings.Contains(fmt.Sprint(q.schema), "points") {
			return encode(map[string]any{"points": []string{"- one\nline", fmt.Sprint(len(q.data.Sentences),
				" sentences")}})
		}
		return encode(map[string]any{"summary": fmt.Sprint(len(q.data.Sentences), " sentences")})
	case "chapters":
		for first := 0; first < len(q.data.Sentences); first += 2 {
			list = append(list, map[string]any{
				"first": first, "headline": "H" + fmt.Sprint(first), "gist": "g",
				"summary": q.data.Sentences[first].Text, "keywords": []string{"k"},
			})
		}
		return encode(map[string]any{"chapters": list})
	case "sentiments":
		each(func(n int, _ string) map[string]any {
			return map[string]any{"sentiment": []string{"positive", "negative"}[n%2], "emotion": []string{"joy",
				"anger"}[n%2]}
		})
	case "entities":
		for _, s := range q.data.Sentences {
			for _, w := range strings.Fields(s.Text) {
				if w == "Ann" {
					list = append(list, map[string]any{"n": s.N, "type": "NAME", "text": w})
				}
			}
		}
		return encode(map[string]any{"entities": append([]any{}, list...)})
	case "structured_data":
		return encode(map[string]any{"data": []any{map[string]any{"class": 1,
			"values": []string{"b", fmt.Sprint(len(q.data.Sentences)), "b"}}}})
	case "names":
		return encode(map[string]any{"names": []any{map[string]any{"name": "Katherine",
			"variants": []string{"Catherine", "Kathryn"}}}})
	case "translation":
		each(func(_ int, s string) map[string]any { return map[string]any{"text": "«" + s + "»"} })
	default:
		return fmt.Sprintf("answer about %d sentences to %s", len(q.data.Sentences),
			q.messages[len(q.messages)-1].Content[max(0, len(q.messages[len(q.messages)-1].Content)-4):])
	}
	return encode(map[string]any{"sentences": list})
}

// outcome is what each task gave for one transcript.
type outcome map[string]string

// all does every task on a transcript.
func all(ctx context.Context, c *llm.Client, t llm.Transcript) outcome {
	out := outcome{}
	put := func(name string, value any, err error) {
		if out[name] = fmt.Sprint(value); err != nil {
			out[name] = "error: " + remote.Addon(err).Exception
		}
	}
	for _, kind := range []string{"general", "concise", "bullet_points"} {
		s, err := summary.FromModel(ctx, c, t, kind)
		put(kind, s, err)
	}
	chapters, err := chapters.FromModel(ctx, c, t)
	put("chapters", chapters, err)
	moods, err := sentiment.FromModel(ctx, c, t)
	put("sentiments", moods, err)
	entities, err := entities.FromModel(ctx, c, t, []string{"NAME", "AGE"})
	put("entities", entities, err)
	found, err := structureddata.FromModel(ctx, c, t, []string{"a", "<b>", "a"})
	put("data", found, err)
	names, err := nameconsistency.FromModel(ctx, c, t)
	put("names", names, err)
	texts, err := translate.FromModel(ctx, c, t, translate.Translation{From: "en", To: "fr", Topic: "names"})
	put("translation", strings.Join(texts, "|"), err)
	said, err := c.Ask(ctx, t, messages.Prompt{{Content: "be brief", Role: "system"}, {Content: "Who is it?"}}, "")
	put("ask", said, err)
	return out
}

func TestTasks(t *testing.T) {
	for _, mode := range []string{"json_schema", "json_object", "none"} {
		m := &model{t: t, reply: func(q question) string {
			if q.mode != mode && !(mode == "none" && q.mode == "") && strings.Contains(q.messages[0].Content, "Task:") {
				t.Errorf("asked in mode %q, want %s", q.mode, mode)
			}
			if q.task == "" {
				q.task, q.schema = told(q.messages[0].Content)
			}
			return "<think>Hm, {\"n\":1}.</think>\n```json\n" + honest(q) + "\n```"
		}}
		c := serve(t, m, llm.Config{SchemaMode: mode})
		got := all(t.Context(), c, talk("hello Ann and Annabel", "Katherine met Catherine", "and Kathryn"))
		want := outcome{
			"general": "3 sentences", "concise": "3 sentences", "bullet_points": "- one line\n- 3 sentences",
			"chapters":    "[{0 1 H0 g hello Ann and Annabel [k]} {2 2 H2 g and Kathryn [k]}]",
			"sentiments":  "[{positive joy} {negative anger} {positive joy}]",
			"entities":    "[{NAME 0 6 9 Ann}]",
			"data":        `{"a":[],"\u003cb\u003e":["b","3"]}`,
			"names":       "[{Katherine [Catherine Kathryn]}]",
			"translation": "«hello Ann and Annabel»|«Katherine met Catherine»|«and Kathryn»",
			"ask":         "```json\nanswer about 3 sentences to  it?\n```",
		}
		if !reflect.DeepEqual(got, want) {
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("%s: %s: %s, want %s", mode, name, got[name], want[name])
				}
			}
		}
		for _, q := range m.Seen() {
			if q.tries > 0 {
				t.Errorf("%s: %s was sent back: %s", mode, q.task, q.messages[len(q.messages)-1].Content)
			}
		}
	}
}

// summaryAnswer is the task that the rules tell in words.
func told(rules string) (string, map[string]any) {
	_, schema, _ := strings.Cut(rules, "The JSON schema of the answer: ")
	for words, name := range map[string]string{
		"Summarize": "summary", "List the points": "summary", "Divide": "chapters", "sentiment and": "sentiments",
		"Find everything": "entities",
		"classes of":      "structured_data", "Find names": "names", "Translate each": "translation",
	} {
		if strings.Contains(rules, words) {
			return name, map[string]any{"words": schema}
		}
	}
	return "", nil
}

// TestNothingSaid expects no request for a transcript without words, except for the prompts of the
// client.
func TestNothingSaid(t *testing.T) {
	m := &model{t: t, reply: honest}
	c := serve(t, m, llm.Config{})
	for _, silence := range []llm.Transcript{{}, talk("", "  ")} {
		got := all(t.Context(), c, silence)
		for name, value := range got {
			if strings.HasPrefix(value, "error") {
				t.Errorf("%s: %s", name, value)
			}
		}
	}
	if n := len(m.Seen()); n != 2 {
		t.Errorf("%d requests, want those of the two prompts", n)
	}
}

// TestLong cuts a long transcript into pieces and puts together what is said of them.
func TestLong(t *testing.T) {
	m := &model{t: t, reply: honest}
	c := serve(t, m, llm.Config{MaxInput: 1000, Concurrency: 2})
	var long llm.Transcript
	for i := range 40 {
		long.Sentences = append(long.Sentences, llm.Sentence{Text: fmt.Sprintf("number %02d %s Ann", i,
			strings.Repeat("la ", 20))})
	}
	long.Sentences[7].Text = strings.Repeat("endless talk of ", 200) + "Ann" // three thousand characters
	got := all(t.Context(), c, long)
	for name, value := range got {
		if strings.HasPrefix(value, "error") && name != "names" { // there are none
			t.Errorf("%s: %s", name, value)
		}
	}
	for _, q := range m.Seen() {
		size := 0
		for _, s := range q.data.Sentences {
			size += len(s.Text)
		}
		if size > 1000 {
			t.Errorf("%s has %d characters", q.task, size)
		}
	}
	if !strings.HasSuffix(got["general"], " sentences") || !strings.HasPrefix(got["ask"], "answer about ") {
		t.Errorf("%s; %s", got["general"], got["ask"])
	}
	chapters, err := chapters.FromModel(t.Context(), c, long)
	if err != nil || chapters[0].First != 0 || chapters[len(chapters)-1].Last != 39 {
		t.Fatalf("%v, %v", chapters, err)
	}
	for i := range chapters[1:] {
		if chapters[i].Last+1 != chapters[i+1].First || chapters[i].First > chapters[i].Last {
			t.Errorf("chapters %d and %d: %v, %v", i, i+1, chapters[i], chapters[i+1])
		}
	}
	entities, err := entities.FromModel(t.Context(), c, long, []string{"NAME"})
	if err != nil || len(entities) != 40 {
		t.Errorf("%d names, %v", len(entities), err)
	}
	for i, e := range entities {
		if e.Sentence != i || long.Sentences[i].Text[e.Start:e.End] != "Ann" {
			t.Errorf("name %d: %+v", i, e)
		}
	}
	texts, err := translate.FromModel(t.Context(), c, long, translate.Translation{To: "fr"})
	if err != nil || len(texts) != 40 || strings.Count(texts[7], "«") < 4 || strings.Count(texts[8], "«") != 1 {
		t.Errorf("%q, %v", texts, err)
	}
	endless := llm.Transcript{Sentences: []llm.Sentence{{Text: strings.Repeat("word ", 60_000)}}}
	if _, err := summary.FromModel(t.Context(), c, endless, ""); remote.Addon(err) == nil ||
		remote.Addon(err).StatusCode != 413 {
		t.Errorf("a text beyond all bounds: %v", err)
	}
}

// TestNamesBeforeParticles finds names that stand together with a particle, as in Korean nearly all
// do, and hides the words they stand in: the model quotes the name alone.
func TestNamesBeforeParticles(t *testing.T) {
	c := serve(t, &model{t: t, reply: func(q question) string {
		var list []any
		for _, s := range q.data.Sentences {
			for _, name := range []string{"김철수", "이영희"} {
				if strings.Contains(s.Text, name) {
					list = append(list, map[string]any{"n": s.N, "type": "NAME", "text": name})
				}
			}
		}
		return encode(map[string]any{"entities": append([]any{}, list...)})
	}}, llm.Config{})
	var us []messages.Utterance
	var told [][]entities.Found
	for _, text := range []string{" 어제 김철수는 이영희 씨를 만났다", " 김철수가 왔다"} {
		u := messages.Utterance{Text: text, Language: "ko"}
		for w := range strings.FieldsSeq(text) {
			u.Words = append(u.Words, messages.Word{Word: " " + w})
		}
		found, err := entities.FindByModel(t.Context(), c, u, []string{"NAME"})
		if err != nil {
			t.Fatal(err)
		}
		us, told = append(us, u), append(told, found)
	}
	hidden, _ := redact.New(messages.PIIRedactionConfig{EntityTypes: []string{"NAME"}}).All(us, told)
	for i, want := range []string{" 어제 [NAME_1] [NAME_2] 씨를 만났다", " [NAME_1] 왔다"} {
		if hidden[i].Text != want {
			t.Errorf("%q, want %q", hidden[i].Text, want)
		}
	}
}
