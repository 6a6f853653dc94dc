package folder

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxInt bounds integers. The library accepts what fits into 32 bits and allocates as much; the
// largest that are published are sizes of vocabularies and states below a million.
const maxInt = 1<<24 - 1

// positive are keys that the library divides by, or uses as the size of something that must not be
// empty.
const positive = " vocab_size n_vocab n_mels n_text_layer n_text_ctx n_text_state sample_rate n_fft hop_length " +
	"window_length" +
	" window_size lfr_window_size lfr_window_shift subsampling_factor T decode_chunk_len feat_dim output_dim " +
	"context_size" +
	" state_dim frame_length_ms encoder_output_size num_head head_dim max_len num_decoder_layers num_encoder_layers" +
	" receptive_field_size receptive_field_shift num_speakers num_classes freq_bins chunk_shift llm_dim hidden_size "

// metadata checks that a file has all required keys, with valid values.
func (f *faults) metadata(name string, data map[string]string, n need) {
	for _, kind := range []struct {
		keys  string
		check func(string) error
	}{
		{n.ints, integer}, {n.lists, integers}, {n.reals, numbers}, {n.texts, func(string) error { return nil }},
	} {
		for _, key := range strings.Fields(kind.keys) {
			value := data[key]
			if value == "" {
				f.fault(name, fmt.Errorf("metadata: %s is missing", key))
			} else if err := kind.check(value); err != nil {
				f.fault(name, fmt.Errorf("metadata: %s: %w", key, err))
			} else if kind.keys == n.ints && number(data, key) == 0 && strings.Contains(positive, " "+key+" ") {
				f.fault(name, fmt.Errorf("metadata: %s is 0", key))
			}
		}
	}
	if n.even {
		f.equalLengths(name, data, n.lists)
		f.equalLengths(name, data, n.reals)
	}
}

// equalLengths checks that lists have the same length.
func (f *faults) equalLengths(name string, data map[string]string, keys string) {
	var want int
	for i, key := range strings.Fields(keys) {
		got := strings.Count(data[key], ",") + 1
		if i == 0 {
			want = got
		}
		if data[key] != "" && got != want {
			f.fault(name, fmt.Errorf("metadata: %s has %d numbers, and %s has %d", key, got, strings.Fields(keys)[0],
				want))
		}
	}
}

func integer(text string) error {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 || n > maxInt {
		return fmt.Errorf("%q is no integer from 0 to %d", shorten(text), maxInt)
	}
	return nil
}

func integers(text string) error {
	for _, word := range strings.Split(text, ",") {
		if err := integer(word); err != nil {
			return err
		}
	}
	return nil
}

// maxNumbers bounds lists of numbers; the longest published, feature statistics, have some
// hundreds.
const maxNumbers = 1 << 16

func numbers(text string) error {
	words := strings.Split(text, ",")
	if len(words) > maxNumbers {
		return errors.New("too many numbers")
	}
	for _, word := range words {
		if v, err := strconv.ParseFloat(strings.TrimSpace(word), 32); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%q is no number", shorten(word))
		}
	}
	return nil
}

// number returns an integer of the metadata, 0 if there is none.
func number(data map[string]string, key string) int {
	n, err := strconv.Atoi(strings.TrimSpace(data[key]))
	if err != nil || n < 0 || n > maxInt {
		return 0
	}
	return n
}

// shorten shortens a text for an error.
func shorten(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}
