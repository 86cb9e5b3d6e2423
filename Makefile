# make help lists the targets. Only Go and make are needed; make lint and
# make bench fetch their tools through the Go module proxy.

VERSION ?= 0.2.0
LDFLAGS  = -s -w -X github.com/flowmcp/fmcp/pkg/cli.version=$(VERSION)
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 60s
MADE = -rules docs/rules -reference docs/reference.md -types types
PREFIX ?= /usr/local
GORELEASER = github.com/goreleaser/goreleaser/v2@v2.14.0

export CGO_ENABLED = 0
export GOFLAGS = -mod=readonly

.PHONY: help build share install uninstall demo test interop lint cross release-check snapshot bench fuzz docs docs-check notices notices-check clean
.DEFAULT_GOAL := help

help: ## list the targets
	@echo 'usage: make TARGET'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

build: ## build the seven commands into bin/
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

share: build ## write completions, man pages and licences into bin/share
	rm -rf bin/share
	sh scripts/install.sh share bin bin/share

install: build ## install commands, completions and man pages below PREFIX (/usr/local)
	sh scripts/install.sh install bin '$(PREFIX)'

uninstall: ## remove what make install put below PREFIX
	sh scripts/install.sh uninstall '$(PREFIX)'

demo: build ## run the main job offline, step by step, with every command shown
	@sh scripts/demo.sh

# The race detector needs cgo and a C compiler: RACE=1 asks for it.
test: ## run all tests; RACE=1 runs them under the race detector
	$(if $(RACE),CGO_ENABLED=1 go test -race -timeout 20m ./...,go test -timeout 20m ./...)

interop: build ## run other implementations of MCP, TypeScript, HTML pages in Chromium, completion in zsh and fish, servers behind HAProxy
	@sh scripts/interop.sh

lint: ## gofmt, go vet, staticcheck, lengths of files and functions, go.mod
	@files=$$(gofmt -l .); [ -z "$$files" ] || { printf 'not gofmt clean:\n%s\n' "$$files"; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	go run ./scripts/lint
	go mod tidy -diff

cross: ## build for all systems that are released, and vet for each
	sh scripts/cross.sh

release-check: ## check .goreleaser.yaml
	GOFLAGS= go run $(GORELEASER) check

snapshot: ## build what a release of this tree would be into dist/
	GOFLAGS= go run $(GORELEASER) release --snapshot --clean

bench: build ## measure the speed and memory of everything into docs/bench/
	sh scripts/bench.sh

fuzz: ## run every fuzz target for FUZZTIME (60s)
	FUZZTIME=$(FUZZTIME) sh scripts/fuzz.sh

docs: build ## write docs/rules, docs/reference.md, types/, and the output of the examples of the docs
	go run ./scripts/gendocs -w $(MADE) README.md CONTRIBUTING.md docs/*.md

docs-check: build ## fail where something that make docs writes is not what it would be
	go run ./scripts/gendocs $(MADE) README.md CONTRIBUTING.md docs/*.md

notices: ## write THIRD_PARTY_NOTICES, the licences of the modules that the commands link
	go run ./scripts/notices THIRD_PARTY_NOTICES

notices-check: ## fail where THIRD_PARTY_NOTICES is not what it would be
	go run ./scripts/notices -check THIRD_PARTY_NOTICES

clean: ## remove what was built
	rm -rf bin dist
