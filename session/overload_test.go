package session

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// stepOf returns a step of an add-on that calls the function.
func stepOf(name string, number int, do func(context.Context) error) addon.Step {
	fail := func(e *messages.AddonError) messages.Message { return messages.SentimentAnalysis{Error: e} }
	return addon.Step{
		Addon: name, Key: messages.Key{Kind: messages.KindSentimentAnalysis, Subject: fmt.Sprintf("%s/%d", name,
			number)}, Timeout: 5 * time.Second, Fail: fail,
		Do: func(ctx context.Context) (messages.Message, bool) {
			ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			if do(ctx) != nil {
				return fail(&messages.AddonError{StatusCode: 504}), false
			}
			return messages.SentimentAnalysis{}, false
		},
	}
}

// outcomes counts the logged messages of an add-on by status.
func outcomes(t *testing.T, m *Memory, name string) map[int]int {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	got := map[int]int{}
	for _, e := range m.events {
		if strings.HasPrefix(e.Key.String(), name+"/") || strings.HasPrefix(e.Subject, name+"/") {
			got[statusOf(t, e)]++
		}
	}
	return got
}

func wantOutcomes(t *testing.T, m *Memory, name string, want map[int]int) {
	t.Helper()
	if got := outcomes(t, m, name); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// Steps of an add-on that hangs fail immediately if its queue is full, and otherwise at their
// timeout. They do not affect another add-on.
func TestTooManySteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		s := open(t, &m, `{}`, asr.Live)
		const more = 10
		var steps []addon.Step
		for i := range maxRunningSteps + maxQueuedSteps + more {
			steps = append(steps, stepOf("hanging", i, hangs))
		}
		for i := range maxRunningSteps + maxQueuedSteps {
			steps = append(steps, stepOf("working", i, takes(10*time.Millisecond)))
		}
		began := time.Now()
		s.steps.start(steps)
		if took := time.Since(began); took != 0 {
			t.Errorf("it waited %v", took)
		}
		wantOutcomes(t, &m, "hanging", map[int]int{503: more})
		time.Sleep(4 * time.Second)
		synctest.Wait()
		wantOutcomes(t, &m, "hanging", map[int]int{503: more})
		wantOutcomes(t, &m, "working", map[int]int{0: maxRunningSteps + maxQueuedSteps})
		stopAndWait(t, s)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("the session ended after %v", took)
		}
		wantOutcomes(t, &m, "hanging", map[int]int{503: more + maxQueuedSteps, 504: maxRunningSteps})
		if len(s.steps.addons) != 2 || s.steps.addons["hanging"].running != 0 ||
			s.steps.addons["working"].running != 0 {
			t.Errorf("left over: %+v", s.steps.addons)
		}
	})
}

// No more steps of an add-on run than may.
func TestStepsAbreast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		s := open(t, &m, `{}`, asr.Live)
		for i := range 5 * maxRunningSteps {
			s.steps.start([]addon.Step{stepOf("working", i, takes(900*time.Millisecond))})
		}
		for round := 1; round <= 5; round++ {
			time.Sleep(900 * time.Millisecond)
			synctest.Wait()
			wantOutcomes(t, &m, "working", map[int]int{0: round * maxRunningSteps})
		}
		stopAndWait(t, s)
	})
}

// An abandoned session does not wait for running steps and emits no message for them: the session
// that resumes it runs them, once.
func TestAbandonedAddonsAreDoneByTheNext(t *testing.T) {
	request := `{"endpointing":0.3,` + allAddons + `}`
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		providers := doing(nil)
		providers.Entities = doing(hangs).Entities
		s, err := openAddons(t, &m, request, scripted.New(scripted.Config{}), providers)
		if err != nil {
			t.Fatal(err)
		}
		write(t, s, twoSentences())
		synctest.Wait()
		began := time.Now()
		s.Abandon()
		if took := time.Since(began); took != 0 {
			t.Errorf("abandoning took %v", took)
		}
		wantOutcomes(t, &m, "final", map[int]int{0: 2})
		wantOutcomes(t, &m, "sentiment_analysis", map[int]int{0: 2})
		wantOutcomes(t, &m, "named_entity_recognition", map[int]int{})

		var asked atomic.Int64
		providers = doing(fails)
		providers.Entities = func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error) {
			asked.Add(1)
			return doing(nil).Entities(ctx, u)
		}
		if s, err = openAddons(t, &m, request, scripted.New(scripted.Config{}), providers); err != nil {
			t.Fatal(err)
		}
		stopAndWait(t, s)
		wantOutcomes(t, &m, "named_entity_recognition", map[int]int{0: 2})
		wantOutcomes(t, &m, "sentiment_analysis", map[int]int{0: 2})
		wantOutcomes(t, &m, "translation", map[int]int{0: 4})
		us, r := m.Outcome().Result.Transcription.Utterances, m.Outcome().Result.NamedEntityRecognition
		if asked.Load() != 2 || len(r.Results) != 2 || r.Results[1].Start != us[1].Start {
			t.Errorf("asked %d times: %+v", asked.Load(), r)
		}
	})
}

// A burst of steps is done if the add-on can do it in time, though not all steps run concurrently.
func TestABurstIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		s := open(t, &m, `{}`, asr.Live)
		for i := range 2 * maxRunningSteps {
			s.steps.start([]addon.Step{stepOf("working", i, takes(4*time.Second))})
		}
		stopAndWait(t, s)
		wantOutcomes(t, &m, "working", map[int]int{0: 2 * maxRunningSteps})
	})
}
