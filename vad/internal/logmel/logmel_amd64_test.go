package logmel

import "testing"

// Bins that do not count are bins all the same.
func TestOctetsEndWithinTheSpectrum(t *testing.T) {
	for i, o := range octets.octet {
		for _, from := range o.from {
			if from+beside*o.groups > points {
				t.Errorf("octet %d: %d groups from bin %d", i, o.groups, from)
			}
		}
	}
}
