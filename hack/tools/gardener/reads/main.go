// Reads asks Gardener's own code what it makes of a shoot's control plane, on the seed of a kubeconfig: shoot-care, whether the prober has scaled down
// controllers; and gardenlet's reconciliation, how many replicas it would deploy. It writes nothing.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	gardencorev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	fakekubernetes "github.com/gardener/gardener/pkg/client/kubernetes/fake"
	"github.com/gardener/gardener/pkg/component/autoscaling/clusterautoscaler"
	"github.com/gardener/gardener/pkg/component/extensions/worker"
	kubeapiserver "github.com/gardener/gardener/pkg/component/kubernetes/apiserver"
	"github.com/gardener/gardener/pkg/component/kubernetes/controllermanager"
	"github.com/gardener/gardener/pkg/component/nodemanagement/machinecontrollermanager"
	"github.com/gardener/gardener/pkg/gardenlet/controller/shoot/care"
	"github.com/gardener/gardener/pkg/gardenlet/operation"
	"github.com/gardener/gardener/pkg/gardenlet/operation/botanist"
	shootpkg "github.com/gardener/gardener/pkg/gardenlet/operation/shoot"
)

func main() {
	// The packages below define flags of their own, with the same names.
	flags := flag.NewFlagSet("reads", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "of the seed")
	namespace := flags.String("namespace", "", "of the shoot's control plane")
	if err := flags.Parse(os.Args[1:]); err != nil {
		os.Exit(2)
	}
	answer, err := read(context.Background(), *kubeconfig, *namespace)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type answer struct {
	// The Deployments for which shoot-care would set ControlPlaneHealthy to False, with the reason ControllersScaledDown.
	ScaledDown []string `json:"scaledDown"`
	// The replicas with which a reconciliation would deploy each dependant.
	Replicas map[string]int32 `json:"replicas"`
}

func read(ctx context.Context, kubeconfig, namespace string) (*answer, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	seed, err := client.New(config, client.Options{Scheme: kubernetes.SeedScheme})
	if err != nil {
		return nil, err
	}
	scaledDown, err := care.CheckIfDependencyWatchdogProberScaledDownControllers(ctx, seed, namespace)
	if err != nil {
		return nil, err
	}
	replicas, err := chosenReplicas(ctx, seed, namespace)
	return &answer{ScaledDown: append([]string{}, scaledDown...), Replicas: replicas}, err
}

// The choice itself (determineControllerReplicas) cannot be called from outside. What calls it can: it is handed components that keep what they are told,
// and deploy nothing.
func chosenReplicas(ctx context.Context, seed client.Client, namespace string) (map[string]int32, error) {
	chosen := map[string]int32{}
	one := &botanist.Botanist{Operation: &operation.Operation{
		Logger:              logr.Discard(),
		SeedClientSet:       fakekubernetes.NewClientSetBuilder().WithClient(seed).Build(),
		SeedNamespaceObject: &corev1.Namespace{},
		Shoot: &shootpkg.Shoot{
			ControlPlaneNamespace:  namespace,
			WantsClusterAutoscaler: true,
			Networks:               &shootpkg.Networks{},
			CloudProfile:           &gardencorev1beta1.CloudProfile{},
			Components: &shootpkg.Components{
				ControlPlane: &shootpkg.ControlPlane{
					KubeAPIServer:            servingAPIServer{},
					KubeControllerManager:    keptControllerManager{chosen: chosen},
					MachineControllerManager: keptMachineControllerManager{chosen: chosen},
					ClusterAutoscaler:        keptAutoscaler{chosen: chosen},
				},
				Extensions: &shootpkg.Extensions{Worker: noWorker{}},
			},
		},
	}}
	// A shoot that is awake and was reconciled before: else its replicas are not the watchdog's.
	one.Shoot.SetInfo(&gardencorev1beta1.Shoot{Status: gardencorev1beta1.ShootStatus{
		LastOperation: &gardencorev1beta1.LastOperation{Type: gardencorev1beta1.LastOperationTypeReconcile},
	}})
	for _, deploy := range []func(context.Context) error{
		one.DeployKubeControllerManager, one.DeployMachineControllerManager, one.DeployClusterAutoscaler,
	} {
		if err := deploy(ctx); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

// A method that is not written here is not called; were it, the program would end with its name.
type servingAPIServer struct{ kubeapiserver.Interface }

func (servingAPIServer) GetAutoscalingReplicas() *int32  { return ptr.To[int32](1) }
func (servingAPIServer) GetValues() kubeapiserver.Values { return kubeapiserver.Values{} }

type keptControllerManager struct {
	controllermanager.Interface
	chosen map[string]int32
}

func (k keptControllerManager) SetReplicaCount(replicas int32) {
	k.chosen["kube-controller-manager"] = replicas
}
func (keptControllerManager) SetRuntimeConfig(map[string]bool) {}
func (keptControllerManager) SetServiceNetworks([]net.IPNet)   {}
func (keptControllerManager) SetPodNetworks([]net.IPNet)       {}
func (keptControllerManager) Deploy(context.Context) error     { return nil }

type keptMachineControllerManager struct {
	machinecontrollermanager.Interface
	chosen map[string]int32
}

func (k keptMachineControllerManager) SetReplicas(replicas int32) {
	k.chosen["machine-controller-manager"] = replicas
}
func (keptMachineControllerManager) Deploy(context.Context) error { return nil }

type keptAutoscaler struct {
	clusterautoscaler.Interface
	chosen map[string]int32
}

func (k keptAutoscaler) SetReplicas(replicas int32) { k.chosen["cluster-autoscaler"] = replicas }
func (keptAutoscaler) SetNamespaceUID(types.UID)    {}
func (keptAutoscaler) SetMaxNodesTotal(int64)       {}
func (keptAutoscaler) SetMachineDeployments([]extensionsv1alpha1.MachineDeployment) {
}
func (keptAutoscaler) Deploy(context.Context) error { return nil }

type noWorker struct{ worker.Interface }

func (noWorker) MachineDeployments() []extensionsv1alpha1.MachineDeployment { return nil }
