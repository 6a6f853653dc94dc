package server

import (
	"encoding/json"
	"strconv"

	"steno/session/store"
)

// Uses returns what an outcome has used as the scripts take it that keep the outcome: a field and
// its value, nothing where there is none. Errors: store.ErrInvalid.
func Uses(list []store.Use) ([]string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	if err := store.CheckUse(list); err != nil {
		return nil, err
	}
	rows := make([][3]string, len(list))
	for i, u := range list {
		rows[i] = [3]string{u.Model, u.Item, strconv.FormatInt(u.Amount, 10)}
	}
	text, err := json.Marshal(rows)
	return []string{"use", string(text)}, err
}
