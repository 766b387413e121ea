// Driver is the machine controller of machine-controller-manager, with a cloud of the tests in place of a provider's: a server on this
// machine that starts and ends kubelets. The cloud outlives this process, as a cloud does.
//
//	PUT    /machines/NAME  a machine starts; it is no error that it runs
//	DELETE /machines/NAME  it ends; it is no error that it does not run
//	GET    /machines       the names of those that run, as a list of JSON
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/gardener/machine-controller-manager/pkg/util/provider/app"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/app/options"
	. "github.com/gardener/machine-controller-manager/pkg/util/provider/driver"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/codes"
	"github.com/gardener/machine-controller-manager/pkg/util/provider/machinecodes/status"
	"github.com/spf13/pflag"
)

type cloud struct{ url string }

const scheme = "cloud:///"

func (c cloud) CreateMachine(ctx context.Context, r *CreateMachineRequest) (*CreateMachineResponse, error) {
	name := r.Machine.Name
	if err := c.send(ctx, http.MethodPut, "/machines/"+name, nil); err != nil {
		return nil, err
	}
	return &CreateMachineResponse{ProviderID: scheme + name, NodeName: name}, nil
}

func (c cloud) InitializeMachine(context.Context, *InitializeMachineRequest) (*InitializeMachineResponse, error) {
	return nil, status.Error(codes.Unimplemented, "nothing is to be done to a machine that was made")
}

func (c cloud) DeleteMachine(ctx context.Context, r *DeleteMachineRequest) (*DeleteMachineResponse, error) {
	return &DeleteMachineResponse{}, c.send(ctx, http.MethodDelete, "/machines/"+r.Machine.Name, nil)
}

func (c cloud) GetMachineStatus(ctx context.Context, r *GetMachineStatusRequest) (*GetMachineStatusResponse, error) {
	name := r.Machine.Name
	running, err := c.running(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(running, name) {
		return nil, status.Error(codes.NotFound, "no such machine")
	}
	return &GetMachineStatusResponse{ProviderID: scheme + name, NodeName: name}, nil
}

func (c cloud) ListMachines(ctx context.Context, _ *ListMachinesRequest) (*ListMachinesResponse, error) {
	running, err := c.running(ctx)
	if err != nil {
		return nil, err
	}
	list := map[string]string{}
	for _, name := range running {
		list[scheme+name] = name
	}
	return &ListMachinesResponse{MachineList: list}, nil
}

func (c cloud) GetVolumeIDs(context.Context, *GetVolumeIDsRequest) (*GetVolumeIDsResponse, error) {
	return &GetVolumeIDsResponse{}, nil
}

func (c cloud) running(ctx context.Context) (names []string, err error) {
	return names, c.send(ctx, http.MethodGet, "/machines", &names)
}

func (c cloud) send(ctx context.Context, method, path string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, nil)
	if err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return status.Error(codes.Unavailable, err.Error())
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return status.Error(codes.Internal, fmt.Sprintf("%s %s: %s", method, path, response.Status))
	}
	if answer == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return status.Error(codes.Internal, err.Error())
	}
	return nil
}

func main() {
	server := options.NewMCServer()
	server.AddFlags(pflag.CommandLine)
	url := pflag.String("cloud", "", "the URL of the cloud")
	pflag.CommandLine.AddGoFlagSet(flag.CommandLine)
	pflag.Parse()
	fmt.Fprintln(os.Stderr, app.Run(server, cloud{*url}))
	os.Exit(1)
}
