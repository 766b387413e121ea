// Hollow is a real kubelet without a machine: Kubernetes' own hollow kubelet, as kubemark has it. Its leases, its status and its
// patience are those of a kubelet; its containers are made up. kubemark itself would listen on all addresses of this machine, show
// its /var/log there, add chains to its firewall and leave a socket in /tmp. This one does none of that: all that it writes is below
// one directory.
package main

import (
	"context"
	"errors"
	"flag"
	"net"
	"os"
	"path/filepath"
	"time"

	"go.opentelemetry.io/otel/trace/noop"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	remote "k8s.io/cri-client/pkg"
	fakeremote "k8s.io/cri-client/pkg/fake"
	"k8s.io/klog/v2"
	cadvisortest "k8s.io/kubernetes/pkg/kubelet/cadvisor/testing"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubemark"
)

func main() {
	klog.InitFlags(nil)
	name := flag.String("name", "", "the node's name")
	kubeconfig := flag.String("kubeconfig", "", "how it reaches its API server")
	directory := flag.String("directory", "", "all that it writes is below it; it exists")
	provider := flag.String("provider-id", "", "of the machine that it is the kubelet of")
	flag.Parse()
	ctx := context.Background()
	// A kubelet looks its node's name up. No name server is to be asked for it.
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("names are not looked up")
	}}

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	config.UserAgent = "kubelet"
	config.ContentType = "application/vnd.kubernetes.protobuf"
	flags, kubelet := kubemark.GetHollowKubeletConfig(&kubemark.HollowKubeletOptions{NodeName: *name, MaxPods: 110})
	// Its place is in /tmp, whatever TMPDIR says.
	must(os.RemoveAll(flags.RootDirectory))
	flags.RootDirectory = *directory
	kubelet.StaticPodPath = filepath.Join(*directory, "static-pods")
	kubelet.PodLogsDir = filepath.Join(*directory, "pod-logs")
	must(os.Mkdir(kubelet.StaticPodPath, 0o700))
	must(os.Mkdir(kubelet.PodLogsDir, 0o700))
	kubelet.EnableServer = false
	kubelet.MakeIPTablesUtilChains = false
	kubelet.ProviderID = *provider
	client, err := clientset.NewForConfig(config)
	must(err)
	// As the kubelet's own main has it: a heartbeat is not held up by other requests, and is given up after its period.
	heart := *config
	heart.QPS = -1
	heart.Timeout = min(kubelet.NodeStatusUpdateFrequency.Duration, time.Duration(kubelet.NodeLeaseDurationSeconds)*time.Second)
	heartbeats, err := clientset.NewForConfig(&heart)
	must(err)

	endpoint := "unix://" + filepath.Join(*directory, "cri.sock")
	runtime := fakeremote.NewFakeRemoteRuntime()
	must(runtime.Start(endpoint))
	service, err := remote.NewRemoteRuntimeService(ctx, endpoint, 15*time.Second, noop.NewTracerProvider(), false)
	must(err)
	kubemark.NewHollowKubelet(flags, kubelet, client, heartbeats, &cadvisortest.Fake{NodeName: *name},
		runtime.ImageService, service, cm.NewStubContainerManager()).Run(ctx)
}

func must(err error) {
	if err != nil {
		klog.Fatal(err)
	}
}
