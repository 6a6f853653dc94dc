package valkey

import (
	"strconv"
	"strings"
)

// serverInfo is what INFO tells, by name.
type serverInfo map[string]string

func parseInfo(text string) serverInfo {
	info := serverInfo{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			info[name] = value
		}
	}
	return info
}

// number is a number that INFO tells; 0 where it does not.
func (i serverInfo) number(name string) int64 {
	n, _ := strconv.ParseInt(i[name], 10, 64)
	return n
}
