// Package library binds the functions of Debian's libpocketsphinx3 and libsphinxbase3
// (0.8+5prealpha) at run time: nothing is linked. It works on linux/amd64.
package library
