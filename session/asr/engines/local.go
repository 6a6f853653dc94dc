package engines

import "slices"

// IsLocal reports whether all that an engine decodes stays on this machine: it is a program here,
// and so are the engine of its partials and the members that vote in it. Servers count as
// elsewhere, wherever they are.
func (s *Set) IsLocal(name string) bool {
	if f := s.config.Fusion; name == f.Name && len(f.Members) > 0 {
		return !slices.ContainsFunc(f.Members, func(member string) bool { return !s.IsLocal(member) })
	}
	i := slices.IndexFunc(s.config.Engines, func(e Engine) bool { return e.Name == name })
	if i < 0 {
		return false
	}
	e := s.config.Engines[i]
	return e.Local != nil && (e.Partials == "" || s.IsLocal(e.Partials))
}
