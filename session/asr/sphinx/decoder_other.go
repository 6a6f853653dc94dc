//go:build !(linux && amd64)

package sphinx

import "errors"

type models struct{}

func loadModels(Config) (*models, error) {
	return nil, errors.New("pocketsphinx is only bound on linux/amd64")
}

func (*models) Final() (finalDecoder, error) { return nil, errors.ErrUnsupported }
func (*models) Live() (liveDecoder, error)   { return nil, errors.ErrUnsupported }
func (*models) Dictionary() *dictionary      { return nil }

func (*models) Learn(lexicon) learner { return nil }
