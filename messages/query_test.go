package messages

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestParseListQuery(t *testing.T) {
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		query string
		want  ListQuery
	}{
		{"", ListQuery{Limit: 20}},
		{"offset=&limit=&date=&status=&custom_metadata=&x=1", ListQuery{Limit: 20}},
		{"offset=40&limit=1", ListQuery{Offset: 40, Limit: 1}},
		{"limit=100", ListQuery{Limit: 100}},
		{"date=2026-01-02", ListQuery{Limit: 20, Date: day}},
		{"before_date=2026-01-02T03:04:05.678Z&after_date=2026-01-01T23:00:00-01:00", ListQuery{
			Limit: 20, Before: day.Add(3*time.Hour + 4*time.Minute + 5678*time.Millisecond), After: day}},
		{"before_date=2026-01-02&after_date=2026-01-02T00:00", ListQuery{Limit: 20, Before: day, After: day}},
		{"after_date=2026-01-02T00:00:00", ListQuery{Limit: 20, After: day}},
		{"status[]=done&status[]=error", ListQuery{Limit: 20, Statuses: []Status{StatusDone, StatusError}}},
		{"status=error,%20done,error&status=done", ListQuery{Limit: 20, Statuses: []Status{StatusError, StatusDone}}},
		{"status=done&status=error&status=done", ListQuery{Limit: 20, Statuses: []Status{StatusDone, StatusError}}},
		{"kind=live&kind=pre-recorded", ListQuery{Limit: 20, Kinds: []JobKind{JobLive, JobPreRecorded}}},
		{"custom_metadata[team]=a&custom_metadata[n]=1", ListQuery{Limit: 20, CustomMetadata: Object{"team": "a",
			"n": "1"}}},
		{"custom_metadata[a][b]=c&custom_metadata[a][d]=",
			ListQuery{Limit: 20, CustomMetadata: Object{"a": map[string]any{"b": "c", "d": ""}}}},
		{`custom_metadata={"n":1.50,"o":{"x":null}}&custom_metadata[o][y]=2`,
			ListQuery{Limit: 20, CustomMetadata: Object{
				"n": json.Number("1.50"), "o": map[string]any{"x": nil, "y": "2"}}}},
	} {
		values, err := url.ParseQuery(tc.query)
		if err != nil {
			t.Fatal(err)
		}
		got, problem := ParseListQuery(values)
		if problem != nil {
			t.Errorf("%s: %v", tc.query, problem.ValidationErrors)
			continue
		}
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got %+v, want %+v", tc.query, got, tc.want)
		}
		again, problem := ParseListQuery(got.Values())
		if problem != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: its page link reads as %+v, %v", tc.query, again, problem)
		}
	}
}

func TestParseListQueryFaults(t *testing.T) {
	statuses := "status must be one of queued, processing, done, error"
	form := " must have the form custom_metadata[key], and no other value for the same key"
	for _, tc := range []struct {
		query string
		want  []string
	}{
		{"offset=-1", []string{"offset must not be less than 0"}},
		{"limit=0", []string{"limit must not be less than 1"}},
		{"limit=101", []string{"limit must not be greater than 100"}},
		{"limit=1.5", []string{"limit must be an integer"}},
		{"offset=99999999999999999999", []string{"offset must be an integer"}},
		{"limit=1&limit=2", []string{"limit must be given once"}},
		{"date=2026-02-30", []string{"date must be a date as YYYY-MM-DD"}},
		{"date=2026-01-02T00:00:00Z", []string{"date must be a date as YYYY-MM-DD"}},
		{"before_date=yesterday", []string{"before_date must be an ISO 8601 date and time"}},
		{"status=done&status=new", []string{statuses + `, not "new"`}},
		{"status=done,new,queued", []string{statuses + `, not "new"`}},
		{"kind=dead", []string{`kind must be one of pre-recorded, live, not "dead"`}},
		{"custom_metadata=[]", []string{"custom_metadata must be a JSON object"}},
		{"custom_metadata[]=a", []string{"custom_metadata[]" + form}},
		{"custom_metadata[a=b", []string{"custom_metadata[a" + form}},
		{"custom_metadata[a]b=c", []string{"custom_metadata[a]b" + form}},
		{"custom_metadata[a]=b&custom_metadata[a][c]=d", []string{"custom_metadata[a][c]" + form}},
		{`custom_metadata={"a":1}&custom_metadata[a]=2`, []string{"custom_metadata[a]" + form}},
		{"custom_metadata[a]=" + strings.Repeat("x", 2000),
			[]string{"custom_metadata must not be longer than 2000 characters as JSON"}},
		{"status=x" + strings.Repeat("&a=b", 200), []string{"the query must not hold more than 200 values"}},
		{"custom_metadata=" + filterOf(65), []string{"custom_metadata must not hold more than 64 values"}},
		{`custom_metadata={"a":` + filterOf(64) + "}", []string{"custom_metadata must not hold more than 64 values"}},
		{"offset=x&limit=0&date=x&before_date=x&after_date=x&status=x&kind=x&custom_metadata=x", []string{
			"offset must be an integer", "limit must not be less than 1", "date must be a date as YYYY-MM-DD",
			"before_date must be an ISO 8601 date and time", "after_date must be an ISO 8601 date and time",
			statuses + `, not "x"`,
			`kind must be one of pre-recorded, live, not "x"`, "custom_metadata must be a JSON object"}},
	} {
		values, err := url.ParseQuery(tc.query)
		if err != nil {
			t.Fatal(err)
		}
		_, problem := ParseListQuery(values)
		if problem == nil || problem.Status != http.StatusBadRequest || !slices.Equal(problem.ValidationErrors,
			tc.want) {
			t.Errorf("%.80s: got %+v, want %q", tc.query, problem, tc.want)
		}
	}
}

func FuzzParseListQuery(f *testing.F) {
	for _, q := range []string{
		"", "offset=1&limit=2&status=done", "custom_metadata[a][b]=c&custom_metadata={\"d\":1e999}",
		"date=2026-01-02&kind=live",
		"before_date=0000-01-01T00:00:00%2B23:59", "after_date=9999-12-31T23:59:59.999999999-23:59",
		"custom_metadata[\xff]=\xff",
	} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		q, problem := ParseListQuery(values)
		if problem != nil {
			return
		}
		link := q.Values().Encode()
		values, _ = url.ParseQuery(link)
		again, problem := ParseListQuery(values)
		if problem != nil {
			t.Fatalf("%s: %v", link, problem.ValidationErrors)
		}
		if second := again.Values().Encode(); second != link {
			t.Errorf("%s became %s", link, second)
		}
	})
}

// filterOf is a filter with n values.
func filterOf(n int) string {
	filter := Object{}
	for i := range n {
		filter[strconv.Itoa(i)] = "x"
	}
	text, err := filter.MarshalJSON()
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestFilterValues sees that as many values as a filter may have are accepted.
func TestFilterValues(t *testing.T) {
	q, problem := ParseListQuery(url.Values{"custom_metadata": {filterOf(MaxFilterValues)}})
	if problem != nil || len(q.CustomMetadata) != MaxFilterValues {
		t.Errorf("%d values, %v", len(q.CustomMetadata), problem)
	}
}
