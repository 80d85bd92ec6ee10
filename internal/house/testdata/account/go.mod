module example.com/account

go 1.25
