// Package usage describes what a command takes. Its help, its man pages and
// what completes its words in a shell are made of that description.
package usage

// Command is a command, or a subcommand.
type Command struct {
	Words       []string // what it is called by: fmcp-exec, resource, import-gtfs
	Short, Long string   // a sentence, and a paragraph, "" for none
	Usage       []string // the lines by which it is called
	Examples    []Example
	Args        []Arg
	Commands    []*Command
	Groups      []Group
	Exits       [][2]string // status and what it means
}

// Example is a command line and what it does.
type Example struct{ Command, What string }

// Arg is an argument without a flag.
type Arg struct {
	Title string // as in help: [PATH...]
	Help  string
	Many  bool
	Value Value
}

// Group is a heading and the flags below it.
type Group struct {
	Title string
	Flags []Flag
}

// Flag is a flag.
type Flag struct {
	Name  string // long, without dashes
	Short rune   // 0 for none
	Title string // as in help: -c, --catalog FILE
	Help  string
	Alone bool // may stand without a value
	Many  bool
	Value Value
}

// Value is what an argument or a flag takes.
type Value struct {
	Name   string          // as in help: FILE; of a flag that only stands alone ""
	Words  func() []string // that it takes, where there are only so many; else nil
	Naming string          // the types of what it names in a catalog, where Name does not say it: "tool resource"
}

// Flags are the flags of all groups.
func (c *Command) Flags() []Flag {
	var all []Flag
	for _, g := range c.Groups {
		all = append(all, g.Flags...)
	}
	return all
}
