// Elector takes part in an election as the Go dependency-watchdog does, by client-go's own leader election. It does nothing
// else: a test reads from its lines since when and until when it believed that it led.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "who asks, and whom")
	namespace := flag.String("namespace", "garden", "of the Lease")
	name := flag.String("name", "dwd-prober-leader-election", "of the Lease")
	identity := flag.String("identity", "", "the name in the Lease, HOSTNAME_UUID")
	lease := flag.Duration("lease-duration", 15*time.Second, "")
	renew := flag.Duration("renew-deadline", 10*time.Second, "")
	retry := flag.Duration("retry-period", 2*time.Second, "")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		end(err)
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		end(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	say("waits", *identity)
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: *namespace, Name: *name},
			Client:     clients.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: *identity},
		},
		LeaseDuration: *lease,
		RenewDeadline: *renew,
		RetryPeriod:   *retry,
		// A manager of controller-runtime that is told to end releases its Lease where it is set up so.
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			// The work of a leader is under this context: when it is done, nobody here believes that he leads.
			OnStartedLeading: func(leading context.Context) {
				say("leads", *identity)
				<-leading.Done()
				say("led", *identity)
			},
			OnStoppedLeading: func() {},
			OnNewLeader:      func(holder string) { say("sees", holder) },
		},
	})
	say("ends", *identity)
}

func say(what, who string) {
	line, _ := json.Marshal(map[string]any{"at": time.Now().UnixMilli(), "what": what, "who": who})
	fmt.Println(string(line))
}

func end(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
