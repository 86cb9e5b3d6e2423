# fmcp-serve alone, on nothing: no shell, no user but 65532. Time zones are in the binary.
#
#   docker build -t fmcp-serve .
#   docker run --rm -i -v "$PWD:/data:ro" fmcp-serve catalog.ndjson
#
# With --target tools, all commands, and a shell for pipes.
#
# docs/install.md says more.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS TARGETARCH VERSION=devel
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG LDFLAGS="-s -w -X github.com/flowmcp/fmcp/pkg/cli.version=$VERSION"
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
        -ldflags "$LDFLAGS" -o /out/ ./cmd/fmcp-serve
RUN mkdir -p /empty/tmp /empty/data && chmod 1777 /empty/tmp && chown 65532:65532 /empty/data

FROM build AS build-tools
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
        -ldflags "$LDFLAGS" -o /out/ ./cmd/...

FROM busybox:1.37-musl AS tools
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /empty/ /
COPY --from=build-tools /out/ /usr/bin/
COPY LICENSE THIRD_PARTY_NOTICES /usr/share/doc/fmcp/
USER 65532:65532
ENV HOME=/data
WORKDIR /data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /empty/ /
COPY --from=build /out/fmcp-serve /usr/bin/
COPY LICENSE THIRD_PARTY_NOTICES /usr/share/doc/fmcp/
USER 65532:65532
ENV HOME=/data
WORKDIR /data
ENTRYPOINT ["/usr/bin/fmcp-serve"]
