package secret

import "testing"

func TestNamed(t *testing.T) {
	for key, want := range map[string]bool{"apiKey": true, "API_KEY": true, "password": true, "Access-Token": true,
		"key": false, "tokenAddress": false, "secretary": false, "": false} {
		if Named(key) != want {
			t.Errorf("%q is called as a secret: %v", key, !want)
		}
	}
}
