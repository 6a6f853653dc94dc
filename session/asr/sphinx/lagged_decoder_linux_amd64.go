package sphinx

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"steno/session/asr/sphinx/library"
)

// callFrames is how many frames a call of the search takes at most. On a decoder that never had a
// whole utterance in one call the library's queue of features is too short for more than 7, and it
// would silently lose what exceeds it.
const callFrames = 5

// laggedDecoder decodes an utterance block by block, at a distance from the speech, with the means
// of a [runningMean].
type laggedDecoder struct {
	*decoder
	frontend *frontend
	mean     *runningMean
	next     int      // frame to decode
	last     cepstrum // decoded last
	inside   bool     // an utterance of the search is under way
}

// newLaggedDecoder takes over a decoder with batch normalisation.
func newLaggedDecoder(d *decoder) (*laggedDecoder, error) {
	if err := d.proveRoots(); err != nil {
		d.Free()
		return nil, err
	}
	f, err := newFrontend(d)
	if err != nil {
		d.Free()
		return nil, err
	}
	return &laggedDecoder{decoder: d, frontend: f}, nil
}

// warm decodes once: in the very first utterance the noise trackers have a state that they never
// have later. The search's normalisation is off afterwards. If warm fails the decoder is freed.
func (d *laggedDecoder) warm() error {
	silence := make([]int16, 4800)
	err := d.start()
	if err == nil {
		err = errors.Join(d.feed(silence, 1), d.stop())
	}
	*library.Int32At(d.lib.Feat(d.ps), library.FeatCMN) = library.CMNNone
	if err == nil {
		err = errors.Join(d.Begin(), d.Add(silence))
	}
	if err != nil {
		d.Free()
		return fmt.Errorf("warm up: %w", err)
	}
	return nil
}

func (d *laggedDecoder) Free() {
	d.frontend.free()
	d.decoder.Free()
}

func (d *laggedDecoder) Begin() error {
	d.mean = newRunningMean()
	if err := d.frontend.start(); err != nil {
		return err
	}
	return d.restart()
}

// restart begins the search again at frame 0.
func (d *laggedDecoder) restart() error {
	d.next = 0
	if d.inside {
		d.inside = false
		if err := d.stop(); err != nil {
			return err
		}
	}
	d.forgetContexts()
	if err := d.start(); err != nil {
		return err
	}
	d.inside = true
	return nil
}

func (d *decoder) stop() error {
	if code := d.lib.EndUtt(d.ps); code < 0 {
		return fmt.Errorf("ps_end_utt: %d", code)
	}
	return nil
}

func (d *laggedDecoder) Add(samples []int16) error { return d.frontend.process(samples, d.mean.add) }

func (d *laggedDecoder) End() error {
	if err := d.frontend.end(d.mean.add); err != nil {
		return err
	}
	d.mean.end()
	return nil
}

func (d *laggedDecoder) Step() (more bool, err error) {
	if d.mean.drifted() {
		if err := d.restart(); err != nil {
			return false, err
		}
	}
	end, mean, ok := d.mean.ready(d.next)
	if !ok {
		return false, nil
	}
	for d.next < end {
		n := min(end-d.next, callFrames)
		for i, c := range d.mean.frames[d.next : d.next+n] {
			d.last = c.minus(mean)
			d.frontend.rows[i] = d.last
		}
		if err := d.search(n); err != nil {
			return false, err
		}
		d.next += n
	}
	_, _, more = d.mean.ready(d.next)
	return more, nil
}

// search passes the first n rows to the decoder.
func (d *laggedDecoder) search(n int) error {
	if code := d.lib.ProcessCep(d.ps, d.frontend.pointers(), int32(n), 0, 0); code < 0 {
		return fmt.Errorf("ps_process_cep: %d", code)
	}
	return nil
}

func (d *laggedDecoder) Path() ([]segment, error) {
	if d.next > 0 {
		for i := range paddedTails {
			d.frontend.rows[i] = d.last
		}
		if err := d.search(paddedTails); err != nil {
			return nil, err
		}
	}
	d.inside = false
	if err := d.stop(); err != nil {
		return nil, err
	}
	if d.next == 0 {
		return nil, nil
	}
	return d.segments(), nil
}

// minus returns the difference of two cepstra.
func (c cepstrum) minus(mean cepstrum) cepstrum {
	for i := range c {
		c[i] -= mean[i]
	}
	return c
}

// frontend is one fe_t: it makes cepstra of samples. Its rows are memory that the library may read
// and write.
type frontend struct {
	lib  *library.Library
	fe   unsafe.Pointer
	pin  runtime.Pinner
	rows *[frontendRows]cepstrum
	row  *[frontendRows]unsafe.Pointer
}

const frontendRows = 64

func newFrontend(d *decoder) (*frontend, error) {
	library.Loading.Lock()
	fe := d.lib.FEInit(d.lib.Config(d.ps))
	library.Loading.Unlock()
	if fe == nil {
		return nil, errors.New("pocketsphinx cannot make a feature extractor")
	}
	f := &frontend{lib: d.lib, fe: fe, rows: new([frontendRows]cepstrum), row: new([frontendRows]unsafe.Pointer)}
	f.pin.Pin(f.rows)
	f.pin.Pin(f.row)
	for i := range f.row {
		f.row[i] = unsafe.Pointer(&f.rows[i])
	}
	return f, nil
}

func (f *frontend) free() {
	f.lib.FEFree(f.fe)
	f.fe = nil
	f.pin.Unpin()
}

func (f *frontend) pointers() unsafe.Pointer { return unsafe.Pointer(f.row) }

func (f *frontend) start() error {
	f.lib.FEStartStream(f.fe)
	if code := f.lib.FEStartUtt(f.fe); code < 0 {
		return fmt.Errorf("fe_start_utt: %d", code)
	}
	return nil
}

// process calls take with the frames that the samples complete.
func (f *frontend) process(samples []int16, take func(cepstrum)) error {
	if len(samples) == 0 {
		return nil
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&samples[0])
	call := &struct {
		samples uintptr // no pointer for the garbage collector: the library leaves it just past the last sample
		left    uintptr
		rows    int32
	}{uintptr(unsafe.Pointer(&samples[0])), uintptr(len(samples)), 0}
	pin.Pin(call)
	for call.left > 0 {
		call.rows = frontendRows
		code := f.lib.FEProcess(f.fe, unsafe.Pointer(&call.samples), unsafe.Pointer(&call.left), f.pointers(),
			unsafe.Pointer(&call.rows), nil)
		if code < 0 {
			return fmt.Errorf("fe_process_frames: %d", code)
		}
		for _, c := range f.rows[:call.rows] {
			take(c)
		}
	}
	return nil
}

// end calls take with the frame that the last samples begin, if they do.
func (f *frontend) end(take func(cepstrum)) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	rows := new(int32)
	pin.Pin(rows)
	if code := f.lib.FEEndUtt(f.fe, unsafe.Pointer(&f.rows[0]), unsafe.Pointer(rows)); code < 0 {
		return fmt.Errorf("fe_end_utt: %d", code)
	}
	if *rows > 0 {
		take(f.rows[0])
	}
	return nil
}
