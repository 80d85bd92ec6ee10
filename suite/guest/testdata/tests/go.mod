// No domain: trust goes by what is in GOROOT, and not by the import path.
module log/tests

go 1.25.0
