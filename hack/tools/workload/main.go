// Workload is what runs in the containers of a real node beside our own program: the sandbox of each pod (without flags it waits to
// be ended), and the parts of a shoot's control plane, which are ready some time after their start, and end where what they need
// is away.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	listen := flag.String("listen", "", "where /readyz is answered: ADDRESS:PORT")
	readyAfter := flag.Duration("ready-after", 0, "how long it takes to be ready")
	needs := flag.String("needs", "", "what has to take connections, or it ends with code 1: ADDRESS:PORT")
	patience := flag.Duration("patience", 2*time.Second, "how long what it needs may be away")
	flag.Parse()
	var reaches atomic.Bool
	reaches.Store(*needs == "")
	if *needs != "" {
		go endWithout(*needs, *patience, &reaches)
	}
	if *listen != "" {
		go serve(*listen, *readyAfter, &reaches)
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
}

func serve(listen string, readyAfter time.Duration, reaches *atomic.Bool) {
	started := time.Now()
	http.HandleFunc("/readyz", func(answer http.ResponseWriter, _ *http.Request) {
		if time.Since(started) < readyAfter || !reaches.Load() {
			answer.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	fail(http.ListenAndServe(listen, nil))
}

// endWithout ends this process once the address takes no connection for as long as the patience. Each pause is short beside that.
func endWithout(address string, patience time.Duration, reaches *atomic.Bool) {
	reached := time.Now()
	for {
		connection, err := net.DialTimeout("tcp", address, time.Second)
		reaches.Store(err == nil)
		if err == nil {
			reached = time.Now()
			if err := connection.Close(); err != nil {
				fail(err)
			}
		} else if time.Since(reached) > patience {
			fail(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
