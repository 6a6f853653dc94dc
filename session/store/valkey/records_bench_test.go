package valkey

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store/valkeytest"
)

// BenchmarkRecords makes and deletes records of eight callers at a time.
func BenchmarkRecords(b *testing.B) {
	s := openAt(b, valkeytest.Start(b).Addr(), "node")
	var hands sync.WaitGroup
	for hand := range benchWorkers {
		hands.Go(func() {
			for i := hand; i < b.N; i += benchWorkers {
				id := fmt.Sprintf("r%07d", i)
				if err := s.Create(b.Context(), fullRecord(id)); err != nil {
					b.Error(err)
				}
				if err := s.Cancel(b.Context(), "acme", id); err != nil {
					b.Error(err)
				}
			}
		})
	}
	hands.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkList lists among 100,000 records: the newest page, and by a value that all have with a
// status that none has.
func BenchmarkList(b *testing.B) {
	s := openAt(b, valkeytest.Start(b).Addr(), "node")
	const records = 100_000
	var hands sync.WaitGroup
	for hand := range benchWorkers {
		hands.Go(func() {
			for i := hand; i < records; i += benchWorkers {
				r := liveRecord(fmt.Sprintf("r%07d", i))
				r.CreatedAt = time.UnixMilli(1_700_000_000_000 + int64(i))
				r.CustomMetadata = json.RawMessage(fmt.Sprintf(`{"all":"x","tenth":%d}`, i%10))
				if err := s.Create(b.Context(), r); err != nil {
					b.Error(err)
				}
			}
		})
	}
	hands.Wait()
	for name, q := range map[string]messages.ListQuery{
		"newest": {Limit: 100},
		"deep":   {Limit: 100, Offset: 50_000},
		"value":  {Limit: 100, CustomMetadata: messages.Object{"all": "x", "tenth": 3}},
		"nothing": {Limit: 100, CustomMetadata: messages.Object{"all": "x", "tenth": 3},
			Statuses: []messages.Status{"done", "processing"}, Before: time.UnixMilli(1_700_000_000_000)},
		"worst": {Limit: 100, CustomMetadata: messages.Object{"all": "x"},
			Kinds: []messages.JobKind{messages.JobPreRecorded, messages.JobLive}, Offset: 99_999},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.List(b.Context(), "acme", q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
