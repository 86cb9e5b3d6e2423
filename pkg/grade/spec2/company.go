package spec2

import (
	"slices"
	"strings"

	"github.com/flowmcp/fmcp/pkg/domain"
	"github.com/flowmcp/fmcp/pkg/words"
)

// companies are those whose keys are asked for under their names, and the
// domains of each. That a key belongs to another company than the root's is only
// said where the company is known: a name such as FRED_API_KEY for
// api.stlouisfed.org says nothing by itself (docs/decisions.md, "Keys of other
// companies"). Names that are words of their own, such as meta or lens, are not
// among them.
var companies = map[string][]string{
	"airtable":      {"airtable.com"},
	"alchemy":       {"alchemy.com", "alchemyapi.io"},
	"alphavantage":  {"alphavantage.co"},
	"amazon":        {"amazon.com", "amazonaws.com"},
	"anthropic":     {"anthropic.com"},
	"aws":           {"amazonaws.com", "amazon.com"},
	"azure":         {"azure.com", "microsoft.com", "windows.net", "azure-api.net"},
	"binance":       {"binance.com", "binance.us", "binance.vision"},
	"bscscan":       {"bscscan.com", "etherscan.io"},
	"cloudflare":    {"cloudflare.com"},
	"coinbase":      {"coinbase.com"},
	"coingecko":     {"coingecko.com"},
	"coinmarketcap": {"coinmarketcap.com"},
	"covalent":      {"covalenthq.com", "goldrush.dev"},
	"datadog":       {"datadoghq.com", "datadoghq.eu"},
	"deepl":         {"deepl.com"},
	"digitalocean":  {"digitalocean.com"},
	"dropbox":       {"dropbox.com", "dropboxapi.com"},
	"etherscan":     {"etherscan.io"},
	"facebook":      {"facebook.com", "meta.com"},
	"github":        {"github.com", "githubusercontent.com"},
	"gitlab":        {"gitlab.com"},
	"google":        {"google.com", "googleapis.com"},
	"heroku":        {"heroku.com"},
	"hubspot":       {"hubspot.com", "hubapi.com"},
	"huggingface":   {"huggingface.co"},
	"infura":        {"infura.io"},
	"instagram":     {"instagram.com", "facebook.com"},
	"linkedin":      {"linkedin.com"},
	"mailchimp":     {"mailchimp.com"},
	"mailgun":       {"mailgun.net", "mailgun.com"},
	"mapbox":        {"mapbox.com"},
	"microsoft":     {"microsoft.com", "microsoftonline.com", "azure.com"},
	"moralis":       {"moralis.io", "moralis.com"},
	"openai":        {"openai.com"},
	"openrouter":    {"openrouter.ai"},
	"paypal":        {"paypal.com"},
	"pinata":        {"pinata.cloud"},
	"quicknode":     {"quicknode.com", "quiknode.pro"},
	"rapidapi":      {"rapidapi.com"},
	"reddit":        {"reddit.com"},
	"salesforce":    {"salesforce.com", "force.com"},
	"sendgrid":      {"sendgrid.com", "twilio.com"},
	"shopify":       {"shopify.com", "myshopify.com"},
	"spotify":       {"spotify.com"},
	"stripe":        {"stripe.com"},
	"telegram":      {"telegram.org"},
	"tiktok":        {"tiktok.com", "tiktokapis.com"},
	"twilio":        {"twilio.com"},
	"twitter":       {"twitter.com", "x.com"},
	"whatsapp":      {"whatsapp.com", "facebook.com"},
	"youtube":       {"youtube.com", "googleapis.com"},
}

// foreignKey is the company that a server parameter is named after, where the
// root's host is not one of its domains; "" where the name says no company, or
// the host cannot be told or is nobody's (docs/decisions.md, "Keys of other
// companies").
func foreignKey(name, root string) string {
	owner := domain.OfRoot(root)
	if domain.OpenLabel(root) != "" || !domain.IsPublic(owner) {
		return ""
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
	for from := range parts {
		for to := from + 1; to <= len(parts); to++ {
			company := words.Letters(strings.Join(parts[from:to], ""))
			if owners := companies[company]; owners != nil && !owns(company, owners, owner) {
				return company
			}
		}
	}
	return ""
}

// owns reports whether a registrable domain is one of a company's: one that is
// known, or its name under another suffix, such as google.de.
func owns(company string, known []string, owner string) bool {
	label, _, _ := strings.Cut(owner, ".")
	return label == company || slices.ContainsFunc(known, func(d string) bool {
		return owner == d || strings.HasSuffix(owner, "."+d)
	})
}
