package blob

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"steno/session/store"
)

const (
	// partSize is how objects are cut that are not sent in one piece, in bytes, and the largest
	// that are.
	partSize = 16 << 20
	// partsAtOnce is how many of them are on their way at a time.
	partsAtOnce = 2
	// maxTries bounds how often a request is sent.
	maxTries = 3
	// spareConns is how many connections stay open that nothing uses.
	spareConns = 16
)

// s3 keeps objects in a bucket.
type s3 struct {
	client *minio.Client
	conns  *http.Transport
	bucket string
	prefix string // of all names; empty, or ends in a slash
}

// openS3 opens what an address names.
func openS3(u *url.URL) (*s3, error) {
	a, err := parseS3(u)
	if err != nil {
		return nil, err
	}
	conns := transport()
	client, err := minio.New(a.endpoint.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
			&credentials.IAM{Client: &http.Client{Transport: conns}},
		}),
		Secure: a.endpoint.Scheme == "https", Transport: conns, Region: a.region, BucketLookup: a.lookup,
		MaxRetries: maxTries,
	})
	if err != nil {
		return nil, err
	}
	return &s3{client: client, conns: conns, bucket: u.Host, prefix: a.prefix}, nil
}

// s3Address is what an address contains beside the bucket's name.
type s3Address struct {
	endpoint *url.URL
	region   string
	lookup   minio.BucketLookupType
	prefix   string
}

// parseS3 refuses parameters that it does not know.
func parseS3(u *url.URL) (a s3Address, err error) {
	if u.Host == "" {
		return a, errors.New("bucket has no name")
	}
	if u.User != nil {
		return a, errors.New("address has a password, which belongs into the environment")
	}
	if err := s3utils.CheckValidBucketName(u.Host); err != nil {
		return a, fmt.Errorf("no bucket can be called %q: %w", u.Host, err)
	}
	if a.prefix = strings.Trim(u.Path, "/"); a.prefix != "" {
		if checkName(a.prefix) != nil {
			return a, errors.New("prefix is no valid name")
		}
		a.prefix += "/"
	}
	q := u.Query()
	for name := range q {
		switch name {
		case "endpoint", "region", "s3ForcePathStyle":
		default:
			return a, fmt.Errorf("parameter %q is not known", name)
		}
	}
	a.region = q.Get("region")
	a.endpoint, err = url.Parse(cmp.Or(q.Get("endpoint"), "https://s3.amazonaws.com"))
	if err != nil || a.endpoint.Host == "" || strings.Trim(a.endpoint.Path, "/") != "" ||
		a.endpoint.Scheme != "http" && a.endpoint.Scheme != "https" {
		return a, errors.New("endpoint is no URL of a server")
	}
	force, err := strconv.ParseBool(cmp.Or(q.Get("s3ForcePathStyle"), "false"))
	if err != nil {
		return a, errors.New("s3ForcePathStyle is neither true nor false")
	}
	if force {
		a.lookup = minio.BucketLookupPath
	}
	return a, nil
}

// transport is the connections of one bucket, bounded in how long they wait.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = answerTimeout
	t.MaxIdleConnsPerHost = spareConns
	t.IdleConnTimeout = time.Minute
	t.DisableCompression = true
	t.ReadBufferSize, t.WriteBufferSize = 32<<10, 32<<10
	return t
}

func (s *s3) close() { s.conns.CloseIdleConnections() }

func (s *s3) put(ctx context.Context, name string, body *io.SectionReader, ifAbsent bool) error {
	o := minio.PutObjectOptions{PartSize: partSize, NumThreads: partsAtOnce, ContentType: "application/octet-stream",
		DisableContentSha256: true}
	if ifAbsent {
		o.SetMatchETagExcept("*")
	}
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+name, io.NewSectionReader(body, 0, body.Size()),
		body.Size(), o)
	return s3Error(err)
}

func (s *s3) open(ctx context.Context, name string, off, length int64) (io.ReadCloser, error) {
	var o minio.GetObjectOptions
	if off > 0 || length > 0 {
		last := int64(0) // to the end
		if length > 0 {
			last = off + length - 1
		}
		if err := o.SetRange(off, last); err != nil {
			return nil, err
		}
	}
	body, _, _, err := (minio.Core{Client: s.client}).GetObject(ctx, s.bucket, s.prefix+name, o)
	if minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return emptyReader{}, nil // it is there, and ends before off
	}
	if err != nil {
		return nil, s3Error(err)
	}
	return s3Body{body}, nil
}

// s3Body names the errors of reading as those of the other calls.
type s3Body struct{ io.ReadCloser }

func (b s3Body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = s3Error(err)
	}
	return n, err
}

func (s *s3) size(ctx context.Context, name string) (int64, error) {
	info, err := s.client.StatObject(ctx, s.bucket, s.prefix+name, minio.StatObjectOptions{})
	return info.Size, s3Error(err)
}

func (s *s3) remove(ctx context.Context, name string) error {
	return s3Error(s.client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}))
}

func (s *s3) removeSome(ctx context.Context, prefix string) (bool, error) {
	page, err := s.list(ctx, prefix, "", MaxPage)
	if err != nil || len(page) == 0 {
		return false, err
	}
	names := make(chan minio.ObjectInfo, len(page))
	for _, o := range page {
		names <- minio.ObjectInfo{Key: s.prefix + o.Name}
	}
	close(names)
	for failure := range s.client.RemoveObjects(ctx, s.bucket, names, minio.RemoveObjectsOptions{}) {
		if e := s3Error(failure.Err); e != nil && !errors.Is(e, store.ErrNotFound) {
			err = e // the channel is read to its end
		}
	}
	return len(page) == MaxPage, err
}

func (s *s3) list(ctx context.Context, prefix, after string, limit int) ([]Object, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if after != "" {
		after = s.prefix + after
	}
	entries := s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{
		Prefix: s.prefix + prefix, StartAfter: after, Recursive: true, MaxKeys: max(limit, 1),
	})
	var page []Object
	var err error
	for e := range entries { // to the end: its goroutine ends with the channel
		switch {
		case err != nil || len(page) >= limit:
			cancel()
		case e.Err != nil:
			err = s3Error(e.Err)
		default:
			page = append(page, Object{strings.TrimPrefix(e.Key, s.prefix), e.Size})
		}
		if len(page) >= limit {
			cancel()
		}
	}
	return page, err
}

func (s *s3) free(ctx context.Context) (int64, error) { return math.MaxInt64, ctx.Err() }

// s3Error makes an error of the contract of one of the client library. nil stays nil.
func s3Error(err error) error {
	if err == nil {
		return nil
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	switch code := answer.StatusCode; {
	case answer.Code == "NoSuchKey" || code == http.StatusNotFound && answer.Code != "NoSuchBucket":
		return store.ErrNotFound
	case code == http.StatusPreconditionFailed:
		return store.ErrExists
	case code == http.StatusConflict || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests ||
		code >= 500 || code == 0:
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	return fmt.Errorf("%s: %w", answer.Code, err)
}
