package valkey

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"steno/session/store/valkey/server"
)

// direct are the commands that are sent as such; all others are those of scripts.
var direct = []string{
	"CLIENT|SETINFO", "CLIENT|SETNAME", "EVAL", "EVALSHA", "EXISTS", "GET", "HELLO", "HGET", "HGETALL", "INFO", "PING",
	"PUBLISH", "SUBSCRIBE", "TIME",
	"UNSUBSCRIBE", "WAIT",
}

// optional are the commands that some settings need: the rewrite of the append-only file, the tier
// disk, steno doctor.
var optional = []string{"BGREWRITEAOF", "WAITAOF", "CONFIG|GET", "COMMAND|INFO"}

var called = regexp.MustCompile(`\bp?call\('([A-Z]+)'(?:, '(NUMSUB)')?`)

// Commands lists the commands that a user of the server must be allowed, sorted: those that are
// sent and those that scripts call. With extra it has those of some settings too: the rewrite of
// the append-only file, the tier disk, steno doctor.
func Commands(extra bool) []string {
	all := slices.Concat(direct, scriptCommands())
	if extra {
		all = append(all, optional...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// scriptCommands are the commands that scripts call.
var scriptCommands = sync.OnceValue(func() (all []string) {
	for _, l := range libraries {
		for _, text := range l.Texts() {
			for _, m := range called.FindAllStringSubmatch(text, -1) {
				all = append(all, strings.TrimSuffix(m[1]+"|"+m[2], "|"))
			}
		}
	}
	return all
})

// Rules are those of an ACL for a user that may do what gateways do and no more, as ACL SETUSER
// takes them, without the password. prefix is that of the names of keys, with its braces.
func Rules(prefix string) string {
	rules := []string{"on", "~" + prefix + "*", "&" + prefix + "*"}
	for _, c := range Commands(true) {
		rules = append(rules, "+"+strings.ToLower(c))
	}
	return strings.Join(rules, " ")
}

// DefaultRules are Rules with the usual prefix.
func DefaultRules() string { return Rules(server.DefaultPrefix) }

var accessScript = scripts.Script("access")

// askAccess finds the commands that the user may not use. A user who may run no scripts learns of
// that alone.
func (q inquiry) askAccess(ctx context.Context, f *Facts) error {
	var asked []string
	for _, c := range Commands(false) {
		if c != "PUBLISH" && c != "SUBSCRIBE" && c != "UNSUBSCRIBE" {
			asked = append(asked, c)
		}
	}
	m, err := q.server.Run(ctx, accessScript, append([]string{"BGREWRITEAOF", "PUBLISH", "SUBSCRIBE"}, asked...)...)
	if denied := deniedCommand(err); denied != "" {
		f.Denied = []string{denied}
		return nil
	}
	if err != nil {
		return err
	}
	if f.Denied, err = m.AsStrSlice(); err != nil {
		return fmt.Errorf("ask valkey for what is allowed: %w", err)
	}
	f.NoRewrite = slices.Contains(f.Denied, "BGREWRITEAOF")
	f.Denied = slices.DeleteFunc(f.Denied, func(c string) bool { return c == "BGREWRITEAOF" })
	slices.Sort(f.Denied)
	return nil
}

var permission = regexp.MustCompile(`(?i)no permissions to run the '([^']+)' command`)

// deniedCommand returns the command that, according to an error of the server, its user may not
// use; empty for another error.
func deniedCommand(err error) string {
	if err == nil {
		return ""
	}
	if m := permission.FindStringSubmatch(err.Error()); m != nil {
		return strings.ToUpper(m[1])
	}
	return ""
}
