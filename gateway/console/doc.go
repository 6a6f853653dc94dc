// Package console serves the web console, and the client for browsers that it uses itself.
//
// The sources are in web: modules with Preact and htm, one component a file, a folder for each
// page, and the client, which is served as it is written. build.js bundles the console with its
// libraries, in the versions of the lock file, into dist.
//
// dist is generated and committed all the same: so go build makes the whole gateway from a clone,
// with no other tool and no network. TestBundleIsFresh builds it again and compares every byte,
// where npm is there; "make console" brings it up to date.
//
// Addresses in the pages are relative, and the pages' own are in the fragment, so that they work
// below any path of a proxy. The content security policy lets them load nothing but what is here,
// run no script and apply no style that stands in a page, and connect to nothing but this gateway.
package console
