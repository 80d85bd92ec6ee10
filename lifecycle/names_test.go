package lifecycle_test

import (
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func ExampleParseName() {
	for _, s := range []string{"Build", "tools/Build_All", "Example.org:tools/build"} {
		name, err := lifecycle.ParseName(s)
		fmt.Println(name, err)
	}
	_, err := lifecycle.ParseName("tools/build all")
	fmt.Println(err)
	// Output:
	// local/build <nil>
	// tools/build_all <nil>
	// example.org:tools/build <nil>
	// lifecycle: name: "tools/build all" has a bad name; want 1 to 128 letters, digits, hyphens and underscores
}
