package billing

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// column is a column of the table.
type column struct {
	name  string
	shown bool
	of    func(r *UsageRow) string
}

// columns are those that are shown.
func (g grouping) columns() []column {
	count := strconv.FormatInt
	return slices.DeleteFunc([]column{
		{"day", g.day, func(r *UsageRow) string { return r.Day }},
		{"account", g.account, func(r *UsageRow) string { return r.Account }},
		{"model", g.model, func(r *UsageRow) string { return r.Model }},
		{"addon", g.addon, func(r *UsageRow) string { return r.Addon }},
		{"live_sessions", true, func(r *UsageRow) string { return count(r.LiveSessions, 10) }},
		{"live_audio_seconds", true, func(r *UsageRow) string { return seconds(r.LiveAudio) }},
		{"recorded_jobs", true, func(r *UsageRow) string { return count(r.Jobs, 10) }},
		{"failed_jobs", true, func(r *UsageRow) string { return count(r.FailedJobs, 10) }},
		{"recorded_audio_seconds", true, func(r *UsageRow) string { return seconds(r.Recorded) }},
		{"addon_audio_seconds", true, func(r *UsageRow) string { return seconds(r.AddonAudio) }},
		{"characters", true, func(r *UsageRow) string { return count(r.Characters, 10) }},
	}, func(c column) bool { return !c.shown })
}

// writeTable answers with rows as CSV, under a line of names.
func writeTable(w http.ResponseWriter, g grouping, rows []UsageRow) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	w.Header().Set("Content-Disposition", `attachment; filename="usage.csv"`)
	table := csv.NewWriter(w)
	columns, line := g.columns(), []string{}
	for _, c := range columns {
		line = append(line, c.name)
	}
	err := table.Write(line)
	for i := range rows {
		line = line[:0]
		for _, c := range columns {
			line = append(line, c.of(&rows[i]))
		}
		if err == nil {
			err = table.Write(line)
		}
	}
	table.Flush()
	if err != nil {
		return fmt.Errorf("write table: %w", err) // as far as it came: only a client that has left causes this
	}
	return nil
}
