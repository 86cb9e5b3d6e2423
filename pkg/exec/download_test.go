package exec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/flowmcp/fmcp/pkg/exec/fetch"
	"github.com/flowmcp/fmcp/pkg/progress"
	"github.com/flowmcp/fmcp/pkg/resource/remote"
	"github.com/flowmcp/fmcp/pkg/words"
)

const fileURL = "https://api.com/data/stations.db?key=canary-in-the-url"

// fetchFile downloads with a client whose network is in memory, and returns
// what was written, once per try.
func fetchFile(t *testing.T, o fetch.Options, r remote.Request, handler http.HandlerFunc) (files []string,
	answer *remote.Answer, err error) {
	t.Helper()
	_, c := newFakeNet(t, map[string]string{"api.com": "93.184.216.34", "other.com": "93.184.216.34",
		"inside.com": "10.0.0.1"}, o, handler)
	var bufs []*bytes.Buffer
	r.Begin = func() (io.Writer, error) {
		bufs = append(bufs, &bytes.Buffer{})
		return bufs[len(bufs)-1], nil
	}
	var told int64
	ctx := progress.With(t.Context(), func(done, total int64, what string) {
		if done < told && done > 0 || what != "bytes of a file of api.com" || total >= 0 && done > total {
			t.Errorf("%d of %d %s after %d", done, total, what, told)
		}
		told = done
	})
	answer, err = c.Download(ctx, r)
	if err == nil && !answer.NotModified && told != int64(bufs[len(bufs)-1].Len()) {
		t.Errorf("%d bytes are told", told)
	}
	for _, b := range bufs {
		files = append(files, b.String())
	}
	var coded *words.Problem
	if err != nil && !errors.As(err, &coded) {
		t.Errorf("an error without a code: %v", err)
	}
	if err != nil && strings.Contains(err.Error(), "canary") {
		t.Errorf("the URL is shown: %v", err)
	}
	return files, answer, err
}

func TestDownload(t *testing.T) {
	body := strings.Repeat("0123456789", 10_000)
	files, answer, err := fetchFile(t, fetch.Options{MaxResponse: 10}, remote.Request{URL: fileURL},
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery != "key=canary-in-the-url" || r.Header.Get("If-None-Match") != "" ||
				r.Header.Get("User-Agent") != fetch.UserAgent {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Last-Modified", "Sat, 21 Nov 2026 12:00:00 GMT")
			_, _ = io.WriteString(w, body)
		})
	if err != nil || len(files) != 1 || files[0] != body || answer.ETag != `"v1"` || answer.LastModified == "" ||
		answer.NotModified {
		t.Fatalf("%d files, %+v, %v", len(files), answer, err)
	}
	files, answer, err = fetchFile(t, fetch.Options{}, remote.Request{URL: fileURL, ETag: `"v1"`, LastModified: "x"},
		func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != `"v1"` || r.Header.Get("If-Modified-Since") != "x" {
				t.Errorf("%v", r.Header)
			}
			w.WriteHeader(http.StatusNotModified)
		})
	if err != nil || len(files) != 0 || !answer.NotModified {
		t.Errorf("not modified: %d files, %+v, %v", len(files), answer, err)
	}
}

func TestDownloadFailures(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, "no such key canary-in-the-url")
		}
	}
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	tests := []struct {
		name, url string
		o         fetch.Options
		handler   http.HandlerFunc
		want      string
	}{
		{"404", fileURL, fetch.Options{}, status(404),
			"EXE040 api.com answered 404 Not Found: check the resource's url"},
		{"500", fileURL, fetch.Options{}, status(500), "EXE041 api.com answered 500 Internal Server Error: "},
		{"204", fileURL, fetch.Options{}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
			"EXE040 api.com answered 204 No Content, and no file"},
		{"304 without a copy", fileURL, fetch.Options{},
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(304) }, "EXE040 api.com answered 304"},
		{"http", "http://api.com/x.db", fetch.Options{}, status(200), "EXE030 only https is allowed"},
		{"file", "file:///etc/passwd", fetch.Options{}, status(200),
			"EXE021 the resource's url is not a valid https URL"},
		{"user", "https://u:canary@api.com/x.db", fetch.Options{}, status(200), "EXE021 the resource's url"},
		{"blanks", "https://api.com/x y\n.db", fetch.Options{}, status(200), "EXE021 the resource's url"},
		{"nothing", "", fetch.Options{}, status(200), "EXE021 the resource's url"},
		{"private address", "https://inside.com/x.db", fetch.Options{}, status(200),
			"EXE031 host inside.com has the address 10.0.0.1"},
		{"metadata", "https://169.254.169.254/latest", fetch.Options{AllowPrivate: true}, status(200), "EXE031 "},
		{"unknown host", "https://nowhere.com/x.db", fetch.Options{}, status(200),
			"EXE033 host nowhere.com is not known"},
		{"redirect elsewhere", fileURL, fetch.Options{}, redirect("https://other.com/x.db"),
			"EXE032 redirect refused: host other.com:443 is not the schema's own (api.com:443): if you trust it, add " +
				"--allow-host other.com:443"},
		{"redirect inside", fileURL, fetch.Options{AllowHosts: []string{"other.com"}},
			redirect("https://inside.com/x.db"), "EXE032 "},
		{"redirect to http", fileURL, fetch.Options{}, redirect("http://api.com/x.db"), "EXE032 "},
		{"announced as too large", fileURL, fetch.Options{MaxDownload: 100},
			func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(make([]byte, 101))
			}, "EXE037 the file (101 bytes) is larger than 100 bytes: raise --max-download"},
		{"too large", fileURL, fetch.Options{MaxDownload: 100}, func(w http.ResponseWriter, _ *http.Request) {
			for range 100 {
				_, _ = w.Write(make([]byte, 1000))
				w.(http.Flusher).Flush()
			}
		}, "EXE037 the file is larger than 100 bytes: raise --max-download"},
		{"cut", fileURL, fetch.Options{Retries: -1}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(make([]byte, 300))
		}, "EXE078 api.com sent 300 of the 1000 bytes of the file and then closed the connection: try again"},
	}
	for _, tt := range tests {
		_, _, err := fetchFile(t, tt.o, remote.Request{URL: tt.url}, tt.handler)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	// The host may resolve to another address after it was checked.
	for _, names := range []string{"93.184.216.34 10.0.0.1", "127.0.0.1", "::1"} {
		_, c := newFakeNet(t, map[string]string{"api.com": names}, fetch.Options{}, status(200))
		_, err := c.Download(t.Context(), remote.Request{URL: fileURL})
		if err == nil || !strings.HasPrefix(err.Error(), "EXE031 ") {
			t.Errorf("%s: %v", names, err)
		}
	}
}

// TestDownloadAgain: a download that breaks off begins again, at its first
// byte.
func TestDownloadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		files, answer, err := fetchFile(t, fetch.Options{}, remote.Request{URL: fileURL},
			func(w http.ResponseWriter, _ *http.Request) {
				tries++
				switch tries {
				case 1:
					w.Header().Set("Content-Length", "1000")
					_, _ = w.Write(make([]byte, 300))
				case 2:
					w.WriteHeader(http.StatusServiceUnavailable)
				default:
					_, _ = io.WriteString(w, "whole")
				}
			})
		if err != nil || fmt.Sprint(len(files[0]), files[1:], len(answer.Notes)) != "300 [whole] 2" {
			t.Errorf("%q %+v %v", files, answer, err)
		}
	})
}

// TestDownloadSlow: the client's timeout bounds how long nothing comes, not
// the whole.
func TestDownloadSlow(t *testing.T) {
	drip := func(n int, every time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for range n {
				select {
				case <-time.After(every):
				case <-r.Context().Done():
					return
				}
				_, _ = w.Write([]byte("x"))
				w.(http.Flusher).Flush()
			}
		}
	}
	for _, tt := range []struct {
		name    string
		o       fetch.Options
		handler http.HandlerFunc
		want    string // of the error
	}{
		{"slow", fetch.Options{Timeout: 10 * time.Second}, drip(20, 9*time.Second), ""},
		{"stalled", fetch.Options{Timeout: 10 * time.Second}, drip(20, 11*time.Second),
			"EXE035 api.com sent nothing for 10s: try again later, or raise --timeout"},
		{"too slow", fetch.Options{Timeout: 10 * time.Second, DownloadTimeout: time.Minute}, drip(20, 9*time.Second),
			"EXE035 api.com did not send the whole file within 1m0s: raise --download-timeout"},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, _, err := fetchFile(t, tt.o, remote.Request{URL: fileURL}, tt.handler)
			if got := fmt.Sprint(err); tt.want != got && (tt.want != "" || err != nil) {
				t.Errorf("%s: %v", tt.name, err)
			}
		})
	}
}

func TestDownloadWriteFails(t *testing.T) {
	_, c := newFakeNet(t, apiNames(), fetch.Options{},
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1000)) })
	for want, begin := range map[string]func() (io.Writer, error){
		"EXE078 the copy cannot be written: no space left": func() (io.Writer, error) { return fullDisk{}, nil },
		"EXE078 the copy cannot be written: no folder": func() (io.Writer, error) {
			return nil, errors.New("no folder")
		},
	} {
		if _, err := c.Download(t.Context(), remote.Request{URL: fileURL, Begin: begin}); err == nil ||
			err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }
