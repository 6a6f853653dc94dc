package recognizers

import (
	"steno/cmd/steno/config"
	"steno/session/asr/engines"
	"steno/session/asr/router"
)

// fusionName is the name of the engine whose members vote in stt-fusion.
const fusionName = "stt-fusion"

// stt3Languages are the languages of stt-3.
var stt3Languages = []string{"en", "fr", "de", "es", "it"}

// fusion returns the engine whose members vote, if at least two are configured.
func (c Setup) fusion() engines.Fusion {
	if len(c.Models.STTFusion.Engines) < 2 {
		return engines.Fusion{}
	}
	return engines.Fusion{Name: fusionName, Members: c.Models.STTFusion.Engines}
}

// plans returns the router's plans of the API's models.
func (c Setup) plans() map[string]router.Plan {
	return map[string]router.Plan{
		"stt-1":      routerPlan(c.Plan(c.Models.STT1), nil, 0),
		"stt-3":      routerPlan(c.Plan(c.Models.STT3), stt3Languages, AccurateDecodes),
		"stt-fusion": c.fusionPlan(),
	}
}

// AccurateDecodes is how many ways of decoding a final of stt-3 and stt-fusion is chosen from, by
// engines that have several.
const AccurateDecodes = 2

// fusionPlan returns the plan of stt-fusion: the fusion, the only engine configured for it, or the
// engines of stt-1.
func (c Setup) fusionPlan() router.Plan {
	switch names := c.Models.STTFusion.Engines; len(names) {
	case 0:
		return routerPlan(c.Plan(c.Models.STT1), nil, AccurateDecodes)
	case 1:
		return router.Plan{Engines: names, Decodes: AccurateDecodes}
	}
	return router.Plan{Engines: []string{fusionName}, Decodes: AccurateDecodes}
}

func routerPlan(p config.Plan, only []string, decodes int) router.Plan {
	return router.Plan{Engines: p.Engines, ByLanguage: p.ByLanguage, Default: p.DefaultLanguage, Only: only,
		Decodes: decodes}
}
