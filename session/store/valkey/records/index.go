package records

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"

	"steno/session/store/metadata"
)

// indexName names the list of the records that have a value of custom metadata: 22 characters,
// however long the value is. It is half of a SHA-256, which an account cannot make collide with
// another's.
func indexName(account string, v metadata.Value) string {
	text, _ := json.Marshal([]string{account, v.Path, v.Form}) // strings can always be written
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// indexNames are the names of the lists of all values of a record, each once.
func indexNames(account string, values []metadata.Value) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = indexName(account, v)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
