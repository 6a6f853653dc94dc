package loadtest

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// measureNames are the measures' names in reports and objectives.
var measureNames = [measures]string{
	ackDelay: "ack", partialDelay: "partial", firstPartial: "first_partial", finalDelay: "final",
	cutDelay:        "final_of_cut",
	decisionDelay:   "final_after_speech_end",
	subscriberDelay: "subscriber", createDelay: "create", connectDelay: "connect", senderLag: "sender_lag",
	firstThird: "final_first_third", lastThird: "final_last_third",
}

// String returns the name of a measure.
func (m measure) String() string { return measureNames[m] }

// encodeHistogram returns the compressed form of a histogram, as text.
func encodeHistogram(h *hdrhistogram.Histogram) string {
	b, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "" // it writes to memory
	}
	return string(b)
}

// decodeHistograms returns the histograms of a report; those it lacks are empty.
func (r *Report) decodeHistograms() ([measures]*hdrhistogram.Histogram, error) {
	var all [measures]*hdrhistogram.Histogram
	for m := range all {
		all[m] = newHistogram()
		text := r.Histograms[measure(m).String()]
		if text == "" {
			continue
		}
		h, err := hdrhistogram.Decode([]byte(text))
		if err != nil {
			return all, fmt.Errorf("histogram of %s: %w", measure(m), err)
		}
		if dropped := all[m].Merge(h); dropped > 0 {
			return all, fmt.Errorf("histogram of %s: %d values out of range", measure(m), dropped)
		}
	}
	return all, nil
}
