// Renders prints as JSON what gardenlet deploys, by Gardener's own code. `objects`: of both roles in the seed, and what makes the prober known to
// a shoot, in the seed and in the shoot. `kinds`: the definitions that these objects, and what the prober reads, need in a seed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime/debug"

	proberapi "github.com/gardener/dependency-watchdog/api/prober"
	weederapi "github.com/gardener/dependency-watchdog/api/weeder"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	v1beta1constants "github.com/gardener/gardener/pkg/apis/core/v1beta1/constants"
	"github.com/gardener/gardener/pkg/client/kubernetes"
	"github.com/gardener/gardener/pkg/component"
	"github.com/gardener/gardener/pkg/component/autoscaling/vpa"
	"github.com/gardener/gardener/pkg/component/etcd/etcd"
	"github.com/gardener/gardener/pkg/component/extensions/crds"
	kubeapiserver "github.com/gardener/gardener/pkg/component/kubernetes/apiserver"
	"github.com/gardener/gardener/pkg/component/nodemanagement/dependencywatchdog"
	"github.com/gardener/gardener/pkg/component/nodemanagement/machinecontrollermanager"
	"github.com/gardener/gardener/pkg/utils/managedresources"
	fakesecretsmanager "github.com/gardener/gardener/pkg/utils/secrets/manager/fake"
)

const (
	garden         = v1beta1constants.GardenNamespace
	shoot          = "shoot--dev--one"
	image          = "registry.example/dependency-watchdog:tag"
	server         = "kube-apiserver." + shoot + ".svc"
	accessResource = "shoot-core-dependency-watchdog"
)

func main() {
	ask := ""
	if len(os.Args) == 2 {
		ask = os.Args[1]
	}
	var (
		answer any
		err    error
	)
	switch ask {
	case "objects":
		answer, err = objects(context.Background())
	case "kinds":
		answer, err = kinds(context.Background())
	default:
		err = fmt.Errorf("usage: renders objects|kinds")
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func objects(ctx context.Context) (any, error) {
	prober, err := proberValues()
	if err != nil {
		return nil, err
	}
	weeder, err := weederValues()
	if err != nil {
		return nil, err
	}
	forProber, err := deployed(ctx, prober)
	if err != nil {
		return nil, err
	}
	forWeeder, err := deployed(ctx, weeder)
	if err != nil {
		return nil, err
	}
	inSeed, inShoot, err := access(ctx)
	return map[string]any{
		"gardener": version("github.com/gardener/gardener"), "watchdog": version("github.com/gardener/dependency-watchdog"),
		"prober": forProber, "weeder": forWeeder, "accessInSeed": inSeed, "accessInShoot": inShoot,
	}, err
}

// As gardenlet's seed controller puts it together (newDependencyWatchdogs in pkg/gardenlet/controller/seed/seed/components.go, which cannot be called from outside).
func proberValues() (dependencywatchdog.BootstrapperValues, error) {
	dependents, err := kubeapiserver.NewDependencyWatchdogProberConfiguration()
	return dependencywatchdog.BootstrapperValues{Role: dependencywatchdog.RoleProber, Image: image, ProberConfig: proberapi.Config{
		KubeConfigSecretName:   dependencywatchdog.KubeConfigSecretName,
		ProbeInterval:          &metav1.Duration{Duration: dependencywatchdog.DefaultProbeInterval},
		DependentResourceInfos: dependents,
	}}, err
}

// The same for the other role.
func weederValues() (dependencywatchdog.BootstrapperValues, error) {
	services, err := etcd.NewDependencyWatchdogWeederConfiguration(v1beta1constants.ETCDRoleMain)
	if err != nil {
		return dependencywatchdog.BootstrapperValues{}, err
	}
	ofServer, err := kubeapiserver.NewDependencyWatchdogWeederConfiguration()
	maps.Copy(services, ofServer)
	return dependencywatchdog.BootstrapperValues{Role: dependencywatchdog.RoleWeeder, Image: image, WeederConfig: weederapi.Config{
		WatchDuration:                 &metav1.Duration{Duration: dependencywatchdog.DefaultWatchDuration},
		ServicesAndDependantSelectors: services,
	}}, err
}

func deployed(ctx context.Context, values dependencywatchdog.BootstrapperValues) ([]any, error) {
	seed := fakeSeed()
	if err := dependencywatchdog.NewBootstrapper(seed, garden, values).Deploy(ctx); err != nil {
		return nil, err
	}
	return inManagedResource(ctx, seed, garden, "dependency-watchdog-"+string(values.Role))
}

// What the prober gets for a shoot: the Secret that its kubeconfig is written into, and the grants in the shoot.
func access(ctx context.Context) (inSeed, inShoot []any, err error) {
	seed := fakeSeed()
	ca := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: v1beta1constants.SecretNameCACluster, Namespace: shoot}}
	if err = seed.Create(ctx, ca); err != nil {
		return nil, nil, err
	}
	values := dependencywatchdog.AccessValues{ServerInCluster: server}
	if err = dependencywatchdog.NewAccess(seed, shoot, fakesecretsmanager.New(seed, shoot), values).Deploy(ctx); err != nil {
		return nil, nil, err
	}
	secret := &corev1.Secret{}
	if err = seed.Get(ctx, client.ObjectKey{Namespace: shoot, Name: dependencywatchdog.KubeConfigSecretName}, secret); err != nil {
		return nil, nil, err
	}
	secret.ResourceVersion = ""
	written, err := plain(secret)
	if err != nil {
		return nil, nil, err
	}
	inShoot, err = inManagedResource(ctx, seed, shoot, accessResource)
	return []any{written}, inShoot, err
}

// The kinds of Gardener, without those that neither the watchdog nor what is deployed with it has to do with.
func kinds(ctx context.Context) (any, error) {
	seed := fakeSeed()
	extensions, err := crds.NewCRD(seed, true, true)
	if err != nil {
		return nil, err
	}
	machines, err := machinecontrollermanager.NewCRD(seed)
	if err != nil {
		return nil, err
	}
	autoscalers, err := vpa.NewCRD(seed, nil)
	if err != nil {
		return nil, err
	}
	for _, one := range []component.DeployWaiter{extensions, machines, autoscalers} {
		if err := one.Deploy(ctx); err != nil {
			return nil, err
		}
	}
	var wanted []any
	for _, name := range []string{
		"clusters.extensions.gardener.cloud", "machines.machine.sapcloud.io", "machinedeployments.machine.sapcloud.io",
		"verticalpodautoscalers.autoscaling.k8s.io",
	} {
		definition := &apiextensionsv1.CustomResourceDefinition{}
		if err := seed.Get(ctx, client.ObjectKey{Name: name}, definition); err != nil {
			return nil, err
		}
		definition.ResourceVersion = ""
		written, err := plain(definition)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, written)
	}
	return wanted, nil
}

func fakeSeed() client.Client {
	return fake.NewClientBuilder().WithScheme(kubernetes.SeedScheme).Build()
}

// The objects of a ManagedResource, by kind and name.
func inManagedResource(ctx context.Context, seed client.Client, namespace, name string) ([]any, error) {
	found, err := managedresources.GetObjects(ctx, seed, namespace, name)
	if err != nil {
		return nil, err
	}
	written := make([]any, 0, len(found))
	for _, one := range found {
		object, err := plain(one)
		if err != nil {
			return nil, err
		}
		written = append(written, object)
	}
	return written, nil
}

// As it is written, without the fields that only servers fill in: which of them a Go object writes as empty depends on its release of Kubernetes.
func plain(object client.Object) (any, error) {
	kind, err := apiutil.GVKForObject(object, kubernetes.SeedScheme)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var written map[string]any
	if err := json.Unmarshal(text, &written); err != nil {
		return nil, err
	}
	delete(written, "status")
	return withoutNothing(written), nil
}

func withoutNothing(value any) any {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, inner any) bool { return inner == nil })
		for key, inner := range value {
			value[key] = withoutNothing(inner)
		}
	case []any:
		for at, inner := range value {
			value[at] = withoutNothing(inner)
		}
	}
	return value
}

func version(module string) string {
	build, _ := debug.ReadBuildInfo()
	for _, one := range build.Deps {
		if one.Path == module {
			return one.Version
		}
	}
	return ""
}
