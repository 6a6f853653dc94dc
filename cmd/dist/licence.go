package main

import (
	"slices"
	"strings"
)

// marks of the licences that are known, by SPDX identifier: a text holds all of them.
var marks = []struct {
	id    string
	texts []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0, January 2004"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"MIT", []string{"Permission is hereby granted, free of charge, to any person obtaining a copy",
		"in all copies or substantial portions"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"ISC", []string{"Permission to use, copy, modify, and distribute this software for any purpose with or " +
		"without fee"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "in binary form must reproduce",
		"endorse or promote"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms", "in binary form must reproduce"}},
	{"Unlicense", []string{"free and unencumbered software released into the public domain"}},
	{"CC0-1.0", []string{"CC0 1.0 Universal"}},
}

// licences returns the SPDX identifiers of the licences in the component's text, sorted by where
// marks lists them: none if it has none of those that are known, several if parts of it have
// licences of their own.
func (c component) licences() []string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(c.text, "//", " ")), " ") // some are written as comments
	var all []string
	for _, m := range marks {
		holds := func(mark string) bool { return strings.Contains(text, mark) }
		if m.id == "BSD-2-Clause" && slices.Contains(all, "BSD-3-Clause") || slices.Contains(all, m.id) {
			continue
		}
		if !slices.ContainsFunc(m.texts, func(mark string) bool { return !holds(mark) }) {
			all = append(all, m.id)
		}
	}
	return all
}

// mit is the text of the MIT licence.
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`
