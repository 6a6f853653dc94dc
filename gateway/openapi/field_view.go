package openapi

import "slices"

// fieldView is a field as the page shows it: with the fields of the object that it holds, where the
// page has them in place.
type fieldView struct {
	Name   string
	Note   string // optional, or where a parameter stands
	Schema *Schema
	Below  []fieldView
}

// fieldDepth is how many objects within each other are shown in place, in requests.
const fieldDepth = 4

// fieldsOf are the fields of an object, or of all objects that a value may be. Those of objects in
// it are shown up to a depth.
func fieldsOf(s *Schema, schemas Ordered[*Schema], depth int) []fieldView {
	var all []fieldView
	for _, p := range s.Properties {
		v := fieldView{Name: p.Name, Schema: p.Value}
		if !slices.Contains(s.Required, p.Name) {
			v.Note = "optional"
		}
		if depth > 0 {
			v.Below = fieldsBelow(p.Value, schemas, depth-1)
		}
		all = append(all, v)
	}
	for _, option := range s.AnyOf {
		all = append(all, fieldsOf(option, schemas, depth)...)
	}
	return all
}

// fieldsBelow are the fields of the object that a reference, an array or one of several kinds of
// values leads to; none where it leads to none.
func fieldsBelow(s *Schema, schemas Ordered[*Schema], depth int) []fieldView {
	switch {
	case s == nil:
		return nil
	case s.Ref != "":
		if named, ok := schemas.get(target(s.Ref)); ok {
			return fieldsOf(named, schemas, depth)
		}
		return nil
	case s.Items != nil:
		return fieldsBelow(s.Items, schemas, depth)
	}
	for _, option := range s.AnyOf {
		if fields := fieldsBelow(option, schemas, depth); fields != nil {
			return fields
		}
	}
	return nil
}

// parameterViews are the parameters of an operation as fields.
func parameterViews(list []parameter) []fieldView {
	var all []fieldView
	for _, p := range list {
		s := *p.Schema
		s.Description = p.Description
		all = append(all, fieldView{Name: p.Name, Note: "in the " + p.In, Schema: &s})
	}
	return all
}
