package engine

import (
	"reflect"
	"sync"
)

// kept holds what is made at the first use and asked for again, by its type.
// Goroutines may share it.
type kept struct {
	mu   sync.Mutex
	made map[reflect.Type]*keptValue
}

type keptValue struct {
	once  sync.Once
	value any
}

// Keep returns the value of a type that k holds, which it makes first if there
// is none.
func Keep[T any](k *kept, make func() T) T {
	key := reflect.TypeFor[T]()
	k.mu.Lock()
	v := k.made[key]
	if v == nil {
		if k.made == nil {
			k.made = map[reflect.Type]*keptValue{}
		}
		v = &keptValue{}
		k.made[key] = v
	}
	k.mu.Unlock()
	v.once.Do(func() { v.value = make() })
	return v.value.(T)
}
