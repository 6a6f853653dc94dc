package server

import (
	"strconv"
	"strings"
)

// Info is what INFO tells, by name.
type Info map[string]string

func ParseInfo(text string) Info {
	info := Info{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			info[name] = value
		}
	}
	return info
}

// Number is a number that INFO tells; 0 where it does not.
func (i Info) Number(name string) int64 {
	n, _ := strconv.ParseInt(i[name], 10, 64)
	return n
}
