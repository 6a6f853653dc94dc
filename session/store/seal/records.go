package seal

import (
	"context"
	"encoding/json"
	"errors"

	"steno/session/store"
)

// sealResult seals a result, which stays JSON.
func (r *Ring) sealResult(ctx context.Context, account, id string, result json.RawMessage) (json.RawMessage, error) {
	if result == nil {
		return nil, nil
	}
	text, err := r.sealText(ctx, account, "result\x00"+id, string(result))
	return json.RawMessage(`"` + text + `"`), err
}

// record opens what is sealed of a record.
func (r *Ring) record(ctx context.Context, rec store.Record, err error) (store.Record, error) {
	if err == nil {
		rec, err = r.openResult(ctx, rec)
	}
	if err == nil {
		rec.Params, err = r.openParams(ctx, rec)
	}
	if err == nil {
		err = r.openMetadata(ctx, &rec)
	}
	return rec, err
}

// sealedText returns what is sealed and stays JSON.
func sealedText(p json.RawMessage) (text string, sealed bool) {
	sealed = len(p) >= len(textMark)+2 && string(p[1:len(textMark)+1]) == textMark && json.Unmarshal(p, &text) == nil
	return text, sealed
}

// openResult opens a record's result. One whose key was forgotten is as if erased.
func (r *Ring) openResult(ctx context.Context, rec store.Record) (store.Record, error) {
	text, sealed := sealedText(rec.Result)
	if !sealed {
		return rec, nil
	}
	clear, err := r.openText(ctx, rec.Account, "result\x00"+rec.ID, text)
	rec.Result = json.RawMessage(clear)
	switch {
	case errors.Is(err, store.ErrErased):
		rec.Result, rec.Stripped, err = nil, rec.Stripped|store.AllParts, nil
	case errors.Is(err, store.ErrDamaged):
		rec.Result, rec.Damaged, err = nil, true, nil
	}
	return rec, err
}

// sealParams seals the parameters of a request, which stay JSON.
func (r *Ring) sealParams(ctx context.Context, account, id string, params json.RawMessage) (json.RawMessage, error) {
	if params == nil || !json.Valid(params) { // which is refused
		return params, nil
	}
	text, err := r.sealText(ctx, account, "params\x00"+id, string(params))
	return json.RawMessage(`"` + text + `"`), err
}

// openParams opens them. Those whose key was forgotten, or that were changed, are none.
func (r *Ring) openParams(ctx context.Context, rec store.Record) (json.RawMessage, error) {
	text, sealed := sealedText(rec.Params)
	if !sealed {
		return rec.Params, nil
	}
	clear, err := r.openText(ctx, rec.Account, "params\x00"+rec.ID, text)
	if errors.Is(err, store.ErrErased) || errors.Is(err, store.ErrDamaged) {
		return json.RawMessage("{}"), nil
	}
	return json.RawMessage(clear), err
}
