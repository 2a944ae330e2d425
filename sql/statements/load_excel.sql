LOAD excel
