package module

// Places are the offsets at which the handlers of a module stand: those of the
// keys of tool, tool/stage, resource/query and resource/query/stage, and that of
// the value of the export under "".
type Places map[string]int

// Of returns where a handler stands, or the export where the handler is not
// found in it; ok is false where there are no handlers.
func (p Places) Of(handler string) (offset int, ok bool) {
	if offset, ok = p[handler]; !ok {
		offset, ok = p[""]
	}
	return offset, ok
}

// HandlerPlaces reads where the handlers of a module stand; src may have none.
func HandlerPlaces(src string) Places {
	s := newScan(src)
	defer s.lit.Release()
	s.mod.places = Places{}
	if err := s.statements(func() bool { return false }); err != nil {
		return nil
	}
	return s.mod.places
}

// ExportPlace returns where the statement of a module's first export begins, as
// an offset: the place to look at where a file lacks the export that it should
// have. It is the beginning of a file without exports.
func ExportPlace(src string) int {
	s := newScan(src)
	defer s.lit.Release()
	if err := s.statements(func() bool { return len(s.mod.Exports) > 0 }); err != nil {
		return 0
	}
	return s.mod.first
}

// place notes where a handler stands, if somebody wants to know.
func (m *Module) place(handler string, offset int) {
	if m.places != nil {
		m.places[handler] = offset
	}
}
