throw new Error("this contract cannot even be imported");
