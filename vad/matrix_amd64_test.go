package vad

import "testing"

// Products are the same on a processor without AVX.
func TestProductsOfSingleBlocks(t *testing.T) { checkProducts(t, singleProducts) }
