package models

import (
	"slices"
	"strings"
)

// whisperLanguages returns the languages of Whisper, as its tokenizer lists them
// (github.com/openai/whisper, tokenizer.py): all of the API's.
func whisperLanguages() []string {
	return strings.Fields(`en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th
		ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af
		oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su`)
}

// europeanLanguages returns the 25 languages of Parakeet TDT 0.6B v3, as its model card lists them
// (huggingface.co/nvidia/parakeet-tdt-0.6b-v3).
func europeanLanguages() []string {
	return strings.Fields("en es fr de bg hr cs da nl et fi el hu it lv lt mt pl pt ro sk sl sv ru uk")
}

// nemotronLanguages returns the languages that Nemotron 3.5 transcribes without more training:
// those "ready", then those of "broad coverage"
// (k2-fsa.github.io/sherpa/onnx/nemo/nemotron-streaming.html).
func nemotronLanguages() []string {
	return strings.Fields("en es fr it pt nl de tr ru ar hi ja ko vi uk pl sv cs no da bg fi hr sk zh hu ro et")
}

// omnilingualLanguages returns the languages of the API among the 1600 of Omnilingual ASR
// (github.com/facebookresearch/omnilingual-asr, lang_ids.py): all but Nynorsk and Sanskrit.
func omnilingualLanguages() []string {
	return slices.DeleteFunc(whisperLanguages(), func(code string) bool { return code == "nn" || code == "sa" })
}
