//go:build tools

// Package tools pins the real machine-controller-manager of the tests.
package tools

import _ "github.com/gardener/machine-controller-manager/cmd/machine-controller-manager"
