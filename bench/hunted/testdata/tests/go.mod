module example.com/hunted

go 1.25
