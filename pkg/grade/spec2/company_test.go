package spec2

import "testing"

func TestForeignKey(t *testing.T) {
	for _, tt := range []struct{ key, root, want string }{
		{"FACEBOOK_API_KEY", "https://example.xyz/v1", "facebook"}, // the example of 08
		{"EXAMPLE_API_KEY", "https://example.xyz", ""},
		{"FACEBOOK_API_KEY", "https://graph.facebook.com/v19.0", ""},
		{"FACEBOOK_API_KEY", "https://facebook.com.evil.io", "facebook"},
		{"FACEBOOK_API_KEY", "https://notfacebook.com", "facebook"},
		{"FACEBOOK_API_KEY", "https://203.0.113.7/v1", "facebook"},
		{"ETHEREUM_MAINNET_ALCHEMY_HTTP", "https://rpc.example.com", "alchemy"},
		{"HUGGING_FACE_TOKEN", "https://example.com", "huggingface"},
		{"hugging-face-token", "https://example.com", "huggingface"},
		{"OPENAI_API_KEY", "https://api.example.com:8443/v1", "openai"},
		{"GOOGLE_API_KEY", "https://factchecktools.googleapis.com", ""}, // googleapis.com is a public suffix
		{"GOOGLE_API_KEY", "https://maps.google.de", ""},
		{"TWITTER_BEARER_TOKEN", "https://api.x.com/2", ""},
		{"GITHUB_TOKEN", "https://someone.github.io", "github"}, // anyone's
		{"API_KEY", "https://example.com", ""},                  // names no company
		{"FRED_API_KEY", "https://api.stlouisfed.org", ""},      // a company that is not known
		{"GOOGLEFACTS_KEY", "https://example.com", ""},
		{"ALCHEMY_API_KEY", "https://--slug--.g.alchemy.com/v2/{{ALCHEMY_API_KEY}}", ""},
		{"ALCHEMY_API_KEY", "https://rpc-resolver.local?_ak={{ALCHEMY_API_KEY}}", ""}, // nobody's
		{"ALCHEMY_API_KEY", "https://{{SERVER_PARAM:HOST}}/v2", ""},                   // only the user knows
		{"ALCHEMY_API_KEY", "", ""},                                                   // nothing is sent
	} {
		if got := foreignKey(tt.key, tt.root); got != tt.want {
			t.Errorf("%s for %q: got %q, want %q", tt.key, tt.root, got, tt.want)
		}
	}
}
