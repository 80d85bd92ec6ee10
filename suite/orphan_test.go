package suite_test

import (
	"context"
	"os"

	"github.com/jacquard-go/jacquard/suite"
)

// hostVar has this test binary be a program that runs a fake's tests.
const hostVar = "FAKE_HOST"

func beHost() int {
	binary, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if ok, err := suite.Run(context.Background(), suite.WithBinary(suite.Config{}, binary)); !ok || err != nil {
		return 1
	}
	return 0
}
