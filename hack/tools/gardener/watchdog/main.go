// Watchdog is the Go dependency-watchdog, for measures beside ours. It differs in one thing: it writes JSON, since the embedded seed reads nothing
// else, and Kubernetes' Go clients write protobuf unless they are told otherwise.
package main

import (
	"flag"
	"fmt"
	"os"

	"go.uber.org/zap/zapcore"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/gardener/dependency-watchdog/cmd"
)

func main() {
	ctrl.GetConfigOrDie = func() *rest.Config {
		own := config.GetConfigOrDie()
		own.ContentType = "application/json"
		return own
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// As its own main does it, which cannot be called from outside.
func run() error {
	var role *cmd.Command
	for _, one := range cmd.Commands {
		if len(os.Args) > 1 && os.Args[1] == one.Name {
			role = one
		}
	}
	if role == nil {
		return fmt.Errorf("the first word must be prober or weeder")
	}
	ctx := ctrl.SetupSignalHandler()
	logging := zap.Options{Level: zapcore.DebugLevel, TimeEncoder: zapcore.RFC3339TimeEncoder}
	logging.BindFlags(flag.CommandLine)
	role.AddFlags(flag.CommandLine)
	if err := flag.CommandLine.Parse(os.Args[2:]); err != nil {
		return err
	}
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&logging)))
	manager, err := role.Run(ctrl.Log.WithName("dwd"))
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}
