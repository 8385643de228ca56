function total(items){let sum=0;for(const item of items){sum+=item.price*item.qty}return sum}var started="yes";var names=["a",started];console.log(total([{price:2,qty:3},{price:4,qty:1}]),names);
//# sourceMappingURL=bundle.js.map
