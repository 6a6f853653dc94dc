var si,Ee,Wl,zf,Zn,Fl,Hl,Bl,Vl,Lr,Er,Ar,Lf,us={},Ul=[],Pf=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,ii=Array.isArray;function $n(e,t){for(var n in t)e[n]=t[n];return e}function Pr(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function Or(e,t,n){var o,s,i,r={};for(i in t)i=="key"?o=t[i]:i=="ref"?s=t[i]:r[i]=t[i];if(arguments.length>2&&(r.children=arguments.length>3?si.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(i in e.defaultProps)r[i]===void 0&&(r[i]=e.defaultProps[i]);return ni(e,r,o,s,null)}function ni(e,t,n,o,s){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:void 0,__v:s??++Wl,__i:-1,__u:0};return s==null&&Ee.vnode!=null&&Ee.vnode(i),i}function ri(e){return e.children}function En(e,t){this.props=e,this.context=t}function Oo(e,t){if(t==null)return e.__?Oo(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Oo(e):null}function Gl(e){var t,n;if((e=e.__)!=null&&e.__c!=null){for(e.__e=e.__c.base=null,t=0;t<e.__k.length;t++)if((n=e.__k[t])!=null&&n.__e!=null){e.__e=e.__c.base=n.__e;break}return Gl(e)}}function Il(e){(!e.__d&&(e.__d=!0)&&Zn.push(e)&&!oi.__r++||Fl!=Ee.debounceRendering)&&((Fl=Ee.debounceRendering)||Hl)(oi)}function oi(){for(var e,t,n,o,s,i,r,a=1;Zn.length;)Zn.length>a&&Zn.sort(Bl),e=Zn.shift(),a=Zn.length,e.__d&&(n=void 0,o=void 0,s=(o=(t=e).__v).__e,i=[],r=[],t.__P&&((n=$n({},o)).__v=o.__v+1,Ee.vnode&&Ee.vnode(n),Dr(t.__P,n,o,t.__n,t.__P.namespaceURI,32&o.__u?[s]:null,i,s??Oo(o),!!(32&o.__u),r),n.__v=o.__v,n.__.__k[n.__i]=n,Jl(i,n,r),o.__e=o.__=null,n.__e!=s&&Gl(n)));oi.__r=0}function Kl(e,t,n,o,s,i,r,a,c,p,f){var u,h,b,w,_,S,k,x=o&&o.__k||Ul,T=t.length;for(c=Of(n,t,x,c,T),u=0;u<T;u++)(b=n.__k[u])!=null&&(h=b.__i==-1?us:x[b.__i]||us,b.__i=u,S=Dr(e,b,h,s,i,r,a,c,p,f),w=b.__e,b.ref&&h.ref!=b.ref&&(h.ref&&Rr(h.ref,null,b),f.push(b.ref,b.__c||w,b)),_==null&&w!=null&&(_=w),(k=!!(4&b.__u))||h.__k===b.__k?c=Yl(b,c,e,k):typeof b.type=="function"&&S!==void 0?c=S:w&&(c=w.nextSibling),b.__u&=-7);return n.__e=_,c}function Of(e,t,n,o,s){var i,r,a,c,p,f=n.length,u=f,h=0;for(e.__k=new Array(s),i=0;i<s;i++)(r=t[i])!=null&&typeof r!="boolean"&&typeof r!="function"?(c=i+h,(r=e.__k[i]=typeof r=="string"||typeof r=="number"||typeof r=="bigint"||r.constructor==String?ni(null,r,null,null,null):ii(r)?ni(ri,{children:r},null,null,null):r.constructor==null&&r.__b>0?ni(r.type,r.props,r.key,r.ref?r.ref:null,r.__v):r).__=e,r.__b=e.__b+1,a=null,(p=r.__i=Df(r,n,c,u))!=-1&&(u--,(a=n[p])&&(a.__u|=2)),a==null||a.__v==null?(p==-1&&(s>f?h--:s<f&&h++),typeof r.type!="function"&&(r.__u|=4)):p!=c&&(p==c-1?h--:p==c+1?h++:(p>c?h--:h++,r.__u|=4))):e.__k[i]=null;if(u)for(i=0;i<f;i++)(a=n[i])!=null&&(2&a.__u)==0&&(a.__e==o&&(o=Oo(a)),Ql(a,a));return o}function Yl(e,t,n,o){var s,i;if(typeof e.type=="function"){for(s=e.__k,i=0;s&&i<s.length;i++)s[i]&&(s[i].__=e,t=Yl(s[i],t,n,o));return t}e.__e!=t&&(o&&(t&&e.type&&!t.parentNode&&(t=Oo(e)),n.insertBefore(e.__e,t||null)),t=e.__e);do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function Df(e,t,n,o){var s,i,r,a=e.key,c=e.type,p=t[n],f=p!=null&&(2&p.__u)==0;if(p===null&&e.key==null||f&&a==p.key&&c==p.type)return n;if(o>(f?1:0)){for(s=n-1,i=n+1;s>=0||i<t.length;)if((p=t[r=s>=0?s--:i++])!=null&&(2&p.__u)==0&&a==p.key&&c==p.type)return r}return-1}function jl(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=n==null?"":typeof n!="number"||Pf.test(t)?n:n+"px"}function ti(e,t,n,o,s){var i,r;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||jl(e.style,t,"");if(n)for(t in n)o&&n[t]==o[t]||jl(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")i=t!=(t=t.replace(Vl,"$1")),r=t.toLowerCase(),t=r in e||t=="onFocusOut"||t=="onFocusIn"?r.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+i]=n,n?o?n.u=o.u:(n.u=Lr,e.addEventListener(t,i?Ar:Er,i)):e.removeEventListener(t,i?Ar:Er,i);else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function ql(e){return function(t){if(this.l){var n=this.l[t.type+e];if(t.t==null)t.t=Lr++;else if(t.t<n.u)return;return n(Ee.event?Ee.event(t):t)}}}function Dr(e,t,n,o,s,i,r,a,c,p){var f,u,h,b,w,_,S,k,x,T,C,H,O,Y,J,se,Q,L=t.type;if(t.constructor!=null)return null;128&n.__u&&(c=!!(32&n.__u),i=[a=t.__e=n.__e]),(f=Ee.__b)&&f(t);e:if(typeof L=="function")try{if(k=t.props,x="prototype"in L&&L.prototype.render,T=(f=L.contextType)&&o[f.__c],C=f?T?T.props.value:f.__:o,n.__c?S=(u=t.__c=n.__c).__=u.__E:(x?t.__c=u=new L(k,C):(t.__c=u=new En(k,C),u.constructor=L,u.render=Nf),T&&T.sub(u),u.props=k,u.state||(u.state={}),u.context=C,u.__n=o,h=u.__d=!0,u.__h=[],u._sb=[]),x&&u.__s==null&&(u.__s=u.state),x&&L.getDerivedStateFromProps!=null&&(u.__s==u.state&&(u.__s=$n({},u.__s)),$n(u.__s,L.getDerivedStateFromProps(k,u.__s))),b=u.props,w=u.state,u.__v=t,h)x&&L.getDerivedStateFromProps==null&&u.componentWillMount!=null&&u.componentWillMount(),x&&u.componentDidMount!=null&&u.__h.push(u.componentDidMount);else{if(x&&L.getDerivedStateFromProps==null&&k!==b&&u.componentWillReceiveProps!=null&&u.componentWillReceiveProps(k,C),!u.__e&&u.shouldComponentUpdate!=null&&u.shouldComponentUpdate(k,u.__s,C)===!1||t.__v==n.__v){for(t.__v!=n.__v&&(u.props=k,u.state=u.__s,u.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(X){X&&(X.__=t)}),H=0;H<u._sb.length;H++)u.__h.push(u._sb[H]);u._sb=[],u.__h.length&&r.push(u);break e}u.componentWillUpdate!=null&&u.componentWillUpdate(k,u.__s,C),x&&u.componentDidUpdate!=null&&u.__h.push(function(){u.componentDidUpdate(b,w,_)})}if(u.context=C,u.props=k,u.__P=e,u.__e=!1,O=Ee.__r,Y=0,x){for(u.state=u.__s,u.__d=!1,O&&O(t),f=u.render(u.props,u.state,u.context),J=0;J<u._sb.length;J++)u.__h.push(u._sb[J]);u._sb=[]}else do u.__d=!1,O&&O(t),f=u.render(u.props,u.state,u.context),u.state=u.__s;while(u.__d&&++Y<25);u.state=u.__s,u.getChildContext!=null&&(o=$n($n({},o),u.getChildContext())),x&&!h&&u.getSnapshotBeforeUpdate!=null&&(_=u.getSnapshotBeforeUpdate(b,w)),se=f,f!=null&&f.type===ri&&f.key==null&&(se=Zl(f.props.children)),a=Kl(e,ii(se)?se:[se],t,n,o,s,i,r,a,c,p),u.base=t.__e,t.__u&=-161,u.__h.length&&r.push(u),S&&(u.__E=u.__=null)}catch(X){if(t.__v=null,c||i!=null)if(X.then){for(t.__u|=c?160:128;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;i[i.indexOf(a)]=null,t.__e=a}else{for(Q=i.length;Q--;)Pr(i[Q]);zr(t)}else t.__e=n.__e,t.__k=n.__k,X.then||zr(t);Ee.__e(X,t,n)}else i==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):a=t.__e=Rf(n.__e,t,n,o,s,i,r,c,p);return(f=Ee.diffed)&&f(t),128&t.__u?void 0:a}function zr(e){e&&e.__c&&(e.__c.__e=!0),e&&e.__k&&e.__k.forEach(zr)}function Jl(e,t,n){for(var o=0;o<n.length;o++)Rr(n[o],n[++o],n[++o]);Ee.__c&&Ee.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(i){i.call(s)})}catch(i){Ee.__e(i,s.__v)}})}function Zl(e){return typeof e!="object"||e==null||e.__b&&e.__b>0?e:ii(e)?e.map(Zl):$n({},e)}function Rf(e,t,n,o,s,i,r,a,c){var p,f,u,h,b,w,_,S=n.props,k=t.props,x=t.type;if(x=="svg"?s="http://www.w3.org/2000/svg":x=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),i!=null){for(p=0;p<i.length;p++)if((b=i[p])&&"setAttribute"in b==!!x&&(x?b.localName==x:b.nodeType==3)){e=b,i[p]=null;break}}if(e==null){if(x==null)return document.createTextNode(k);e=document.createElementNS(s,x,k.is&&k),a&&(Ee.__m&&Ee.__m(t,i),a=!1),i=null}if(x==null)S===k||a&&e.data==k||(e.data=k);else{if(i=i&&si.call(e.childNodes),S=n.props||us,!a&&i!=null)for(S={},p=0;p<e.attributes.length;p++)S[(b=e.attributes[p]).name]=b.value;for(p in S)if(b=S[p],p!="children"){if(p=="dangerouslySetInnerHTML")u=b;else if(!(p in k)){if(p=="value"&&"defaultValue"in k||p=="checked"&&"defaultChecked"in k)continue;ti(e,p,null,b,s)}}for(p in k)b=k[p],p=="children"?h=b:p=="dangerouslySetInnerHTML"?f=b:p=="value"?w=b:p=="checked"?_=b:a&&typeof b!="function"||S[p]===b||ti(e,p,b,S[p],s);if(f)a||u&&(f.__html==u.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[];else if(u&&(e.innerHTML=""),Kl(t.type=="template"?e.content:e,ii(h)?h:[h],t,n,o,x=="foreignObject"?"http://www.w3.org/1999/xhtml":s,i,r,i?i[0]:n.__k&&Oo(n,0),a,c),i!=null)for(p=i.length;p--;)Pr(i[p]);a||(p="value",x=="progress"&&w==null?e.removeAttribute("value"):w!=null&&(w!==e[p]||x=="progress"&&!w||x=="option"&&w!=S[p])&&ti(e,p,w,S[p],s),p="checked",_!=null&&_!=e[p]&&ti(e,p,_,S[p],s))}return e}function Rr(e,t,n){try{if(typeof e=="function"){var o=typeof e.__u=="function";o&&e.__u(),o&&t==null||(e.__u=e(t))}else e.current=t}catch(s){Ee.__e(s,n)}}function Ql(e,t,n){var o,s;if(Ee.unmount&&Ee.unmount(e),(o=e.ref)&&(o.current&&o.current!=e.__e||Rr(o,null,t)),(o=e.__c)!=null){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){Ee.__e(i,t)}o.base=o.__P=null}if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&Ql(o[s],t,n||typeof e.type!="function");n||Pr(e.__e),e.__c=e.__=e.__e=void 0}function Nf(e,t,n){return this.constructor(e,n)}function Xl(e,t,n){var o,s,i,r;t==document&&(t=document.documentElement),Ee.__&&Ee.__(e,t),s=(o=typeof n=="function")?null:n&&n.__k||t.__k,i=[],r=[],Dr(t,e=(!o&&n||t).__k=Or(ri,null,[e]),s||us,us,t.namespaceURI,!o&&n?[n]:s?null:t.firstChild?si.call(t.childNodes):null,i,!o&&n?n:s?s.__e:t.firstChild,o,r),Jl(i,e,r)}si=Ul.slice,Ee={__e:function(e,t,n,o){for(var s,i,r;t=t.__;)if((s=t.__c)&&!s.__)try{if((i=s.constructor)&&i.getDerivedStateFromError!=null&&(s.setState(i.getDerivedStateFromError(e)),r=s.__d),s.componentDidCatch!=null&&(s.componentDidCatch(e,o||{}),r=s.__d),r)return s.__E=s}catch(a){e=a}throw e}},Wl=0,zf=function(e){return e!=null&&e.constructor==null},En.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=$n({},this.state),typeof e=="function"&&(e=e($n({},n),this.props)),e&&$n(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),Il(this))},En.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),Il(this))},En.prototype.render=ri,Zn=[],Hl=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,Bl=function(e,t){return e.__v.__b-t.__v.__b},oi.__r=0,Vl=/(PointerCapture)$|Capture$/i,Lr=0,Er=ql(!1),Ar=ql(!0),Lf=0;var tc=function(e,t,n,o){var s;t[0]=0;for(var i=1;i<t.length;i++){var r=t[i++],a=t[i]?(t[0]|=r?1:2,n[t[i++]]):t[++i];r===3?o[0]=a:r===4?o[1]=Object.assign(o[1]||{},a):r===5?(o[1]=o[1]||{})[t[++i]]=a:r===6?o[1][t[++i]]+=a+"":r?(s=e.apply(a,tc(e,a,n,["",null])),o.push(s),a[0]?t[0]|=2:(t[i-2]=0,t[i]=s)):o.push(a)}return o},ec=new Map;function nc(e){var t=ec.get(this);return t||(t=new Map,ec.set(this,t)),(t=tc(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,i=1,r="",a="",c=[0],p=function(h){i===1&&(h||(r=r.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,h,r):i===3&&(h||r)?(c.push(3,h,r),i=2):i===2&&r==="..."&&h?c.push(4,h,0):i===2&&r&&!h?c.push(5,0,!0,r):i>=5&&((r||!h&&i===5)&&(c.push(i,0,r,s),i=6),h&&(c.push(i,h,0,s),i=6)),r=""},f=0;f<n.length;f++){f&&(i===1&&p(),p(f));for(var u=0;u<n[f].length;u++)o=n[f][u],i===1?o==="<"?(p(),c=[c],i=3):r+=o:i===4?r==="--"&&o===">"?(i=1,r=""):r=o+r[0]:a?o===a?a="":r+=o:o==='"'||o==="'"?a=o:o===">"?(p(),i=1):i&&(o==="="?(i=5,s=r,r=""):o==="/"&&(i<5||n[f][u+1]===">")?(p(),i===3&&(c=c[0]),i=c,(c=c[0]).push(2,0,i),i=0):o===" "||o==="	"||o===`
`||o==="\r"?(p(),i=2):r+=o),i===3&&r==="!--"&&(i=4,c=c[0])}return p(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=nc.bind(Or);var Do,qe,Nr,oc,ds=0,dc=[],We=Ee,sc=We.__b,ic=We.__r,rc=We.diffed,ac=We.__c,lc=We.unmount,cc=We.__;function li(e,t){We.__h&&We.__h(qe,e,ds||t),ds=0;var n=qe.__H||(qe.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function E(e){return ds=1,Ir(fc,e)}function Ir(e,t,n){var o=li(Do++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):fc(void 0,t),function(a){var c=o.__N?o.__N[0]:o.__[0],p=o.t(c,a);c!==p&&(o.__N=[p,o.__[1]],o.__c.setState({}))}],o.__c=qe,!qe.__f)){var s=function(a,c,p){if(!o.__c.__H)return!0;var f=o.__c.__H.__.filter(function(h){return!!h.__c});if(f.every(function(h){return!h.__N}))return!i||i.call(this,a,c,p);var u=o.__c.props!==a;return f.forEach(function(h){if(h.__N){var b=h.__[0];h.__=h.__N,h.__N=void 0,b!==h.__[0]&&(u=!0)}}),i&&i.call(this,a,c,p)||u};qe.__f=!0;var i=qe.shouldComponentUpdate,r=qe.componentWillUpdate;qe.componentWillUpdate=function(a,c,p){if(this.__e){var f=i;i=void 0,s(a,c,p),i=f}r&&r.call(this,a,c,p)},qe.shouldComponentUpdate=s}return o.__N||o.__}function z(e,t){var n=li(Do++,3);!We.__s&&jr(n.__H,t)&&(n.__=e,n.u=t,qe.__H.__h.push(n))}function an(e,t){var n=li(Do++,4);!We.__s&&jr(n.__H,t)&&(n.__=e,n.u=t,qe.__h.push(n))}function j(e){return ds=5,Ft(function(){return{current:e}},[])}function Ft(e,t){var n=li(Do++,7);return jr(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function pc(e,t){return ds=8,Ft(function(){return e},t)}function Ff(){for(var e;e=dc.shift();)if(e.__P&&e.__H)try{e.__H.__h.forEach(ai),e.__H.__h.forEach(Fr),e.__H.__h=[]}catch(t){e.__H.__h=[],We.__e(t,e.__v)}}We.__b=function(e){qe=null,sc&&sc(e)},We.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),cc&&cc(e,t)},We.__r=function(e){ic&&ic(e),Do=0;var t=(qe=e.__c).__H;t&&(Nr===qe?(t.__h=[],qe.__h=[],t.__.forEach(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.forEach(ai),t.__h.forEach(Fr),t.__h=[],Do=0)),Nr=qe},We.diffed=function(e){rc&&rc(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(dc.push(t)!==1&&oc===We.requestAnimationFrame||((oc=We.requestAnimationFrame)||If)(Ff)),t.__H.__.forEach(function(n){n.u&&(n.__H=n.u),n.u=void 0})),Nr=qe=null},We.__c=function(e,t){t.some(function(n){try{n.__h.forEach(ai),n.__h=n.__h.filter(function(o){return!o.__||Fr(o)})}catch(o){t.some(function(s){s.__h&&(s.__h=[])}),t=[],We.__e(o,n.__v)}}),ac&&ac(e,t)},We.unmount=function(e){lc&&lc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.forEach(function(o){try{ai(o)}catch(s){t=s}}),n.__H=void 0,t&&We.__e(t,n.__v))};var uc=typeof requestAnimationFrame=="function";function If(e){var t,n=function(){clearTimeout(o),uc&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);uc&&(t=requestAnimationFrame(n))}function ai(e){var t=qe,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),qe=t}function Fr(e){var t=qe;e.__c=e.__(),qe=t}function jr(e,t){return!e||e.length!==t.length||t.some(function(n,o){return n!==e[o]})}function fc(e,t){return typeof t=="function"?t(e):t}function wt({title:e,children:t,actions:n,page:o=!1}){return l`<div class="empty">
    ${o?l`<h1>${e}</h1>`:l`<h2>${e}</h2>`}
    ${t&&l`<p>${t}</p>`} ${n&&l`<div class="row">${n}</div>`}
  </div>`}function le(e){let t=new Set;return{get:()=>e,set(n){if(!Object.is(n,e)){e=n;for(let o of[...t])o(e)}},watch(n){return t.add(n),()=>t.delete(n)}}}function F(e){let[t,n]=E(e.get());return z(()=>(n(()=>e.get()),e.watch(o=>n(()=>o))),[e]),t}var ci=le("");function ps(e){ci.set(""),setTimeout(()=>ci.set(e),50)}var tt=new URL("./",document.baseURI).href,ln=le(!1),qr=new AbortController;function mc(){return qr.abort(),()=>qr=new AbortController}var Qn=class extends Error{constructor(t,n,o){super(n.message??"steno does not answer"),this.status=t,this.faults=n.validation_errors??[],this.retryAfter=o}};async function Ro(e,{method:t="GET",json:n,body:o,headers:s={},signal:i,quiet:r=!1}={}){let a=n===void 0?{body:o,headers:s}:{body:JSON.stringify(n),headers:{"content-type":"application/json",...s}},c=[i,e!=="console/login"&&qr.signal].filter(Boolean),p;try{p=await fetch(tt+e,{method:t,signal:AbortSignal.any(c),credentials:"same-origin",...a})}catch(h){throw h.name==="AbortError"?h:new Qn(0,{})}if(p.ok)return p;let f=await p.json().catch(()=>null);if(!f&&[502,504].includes(p.status))throw new Qn(0,{});p.status===401&&!r&&ln.set(!0);let u=Number(p.headers.get("retry-after"));throw new Qn(p.status,f??{message:p.statusText},u>0?u:null)}async function oe(e,t){let o=await(await Ro(e,t)).text();return o===""?null:JSON.parse(o)}var jf={sphinx:"PocketSphinx",scripted:"The scripted engine"},fs=e=>e.available&&e.models.length>0,Xn=e=>jf[e]??e,hc=e=>e.models.length===1&&e.models[0].name!==e.name?e.models[0].name:Xn(e.name),gc=e=>e.models.filter(t=>t.licence).map(t=>`${t.name}, licence: ${t.licence}`).join(`
`)||null;function Wr(e,t,n=[]){let s=(e?.models.find(r=>r.model===t)?.engines??[]).filter(r=>!r.available||fs(r)).filter(r=>n.length===0||r.languages.length===0||n.some(a=>r.languages.includes(a)));if(s.length===0)return null;let i=s.find(r=>r.available);return i?s[0].available?null:{is:"stand-in",away:s[0].name,by:i.name}:{is:"none",languages:n}}var ui=e=>Wr(e,e?.models.find(t=>t.default)?.model);function pt(e,t,n=[]){z(()=>{let o=new AbortController,s,i=async()=>{document.hidden||await e(o.signal),o.signal.aborted||(s=setTimeout(i,t*1e3))},r=()=>{document.hidden||(clearTimeout(s),i())};return i(),document.addEventListener("visibilitychange",r),()=>{o.abort(),clearTimeout(s),document.removeEventListener("visibilitychange",r)}},n)}function Hr(){let[e,t]=location.hash.replace(/^#\/?/,"").split("?",2),[n,...o]=e.split("/").map(decodeURIComponent);return{page:n||"talk",rest:o.filter(Boolean),query:new URLSearchParams(t)}}var No=le(Hr());addEventListener("hashchange",()=>No.set(Hr()));function An(e,t={}){let n=Object.entries(t).flatMap(([s,i])=>[i].flat().map(r=>[s,r])),o=new URLSearchParams(n.filter(([,s])=>s!=null&&s!=="")).toString();return"#/"+e.map(encodeURIComponent).join("/")+(o&&"?"+o)}function zn(e,t,{replace:n=!1}={}){let o=An(e,t);if(!n){location.hash=o;return}history.replaceState(null,"",o),No.set(Hr())}var ms=[],$c="",Br=0;function qf(e){return e.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName)}function Wf(e){let t=e.target.closest?.('button, a, summary, [role="option"], [role="slider"], [role="tab"], [role="menuitem"]');return t!=null&&[" ","Enter","ArrowLeft","ArrowRight","ArrowUp","ArrowDown"].includes(e.key)}addEventListener("keydown",e=>{if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||e.key!=="Escape"&&(qf(e.target)||Wf(e)))return;let t=(e.shiftKey&&e.key.length>1?"Shift+":"")+(e.key===" "?"Space":e.key),n=e.timeStamp<Br?`${$c} ${t}`:t;Br=0;let o=ms.findLast(s=>s.keys===n);o?(e.preventDefault(),o.run(e)):ms.some(s=>s.keys.startsWith(t+" "))&&($c=t,Br=e.timeStamp+1500)});function Se(e,t,n=!0){let o=j(t);o.current=t,z(()=>{if(!n)return;let s={keys:e,run:i=>o.current(i)};return ms.push(s),()=>ms.splice(ms.indexOf(s),1)},[e,n])}var Ln=le(void 0),di=le(!1);async function hs(){try{Ln.set(await oe("console/login")),di.set(!1),ln.set(!1)}catch{di.set(!0)}}async function bc(e){let t=await oe("console/login",{method:"POST",headers:{authorization:"Bearer "+e},quiet:!0});ln.set(!1),Ln.set(t)}async function vc(){let e=mc();try{await oe("console/login",{method:"DELETE",quiet:!0})}finally{Ln.set(null),e()}}var Fo=e=>Ln.get()?.scopes.includes(e)??!1;var wc=e=>["realtime_processing","post_processing"].flatMap(t=>{let n=t==="realtime_processing"?"RealtimeProcessingInput":"PostProcessingInput";return Object.entries(e.components.schemas[n]?.properties??{}).filter(([,s])=>s["x-addon"]).map(([s,i])=>({name:s,place:t,doc:i.description}))});var gs=le({state:"unknown"}),Vr=le(!1),ft=le(null),Ur=le([]),$s=le(null);async function yc(e){try{let{ready:t,reason:n,sample:o}=await oe("console/status",{signal:e});Vr.set(o),gs.set(t?{state:"ready"}:{state:"unready",reason:n})}catch(t){if(t.name==="AbortError")return;gs.set({state:"away"});return}if(!ln.get())try{ft.set(await oe("v2/models",{signal:e})),xc||Ur.set(wc(await oe("openapi.json",{signal:e}))),xc=!0}catch{}}var xc=!1;var Gr="steno.";function bs(e,t){try{let n=localStorage.getItem(Gr+e);return n===null?t:JSON.parse(n)}catch{return t}}function Kr(e,t){try{t===void 0?localStorage.removeItem(Gr+e):localStorage.setItem(Gr+e,JSON.stringify(t))}catch{}}function mt(e,t){let[n,o]=E(()=>bs(e,t));return[n,i=>{Kr(e,i),o(i)}]}var _c=matchMedia("(prefers-color-scheme: dark)"),kc=()=>bs("theme",_c.matches?"dark":"light"),It=le(kc());_c.addEventListener("change",()=>It.set(kc()));function pi(){let e=It.get()==="dark"?"light":"dark";Kr("theme",e),document.documentElement.dataset.theme=e,It.set(e)}function cn(...e){let t=document.body.appendChild(document.createElement("i"));t.hidden=!0;let n={};for(let o of e)t.style.color=`var(--${o})`,n[o]=getComputedStyle(t).color;return t.remove(),n}var Hf={microphone:l`<rect x="5.5" y="1.5" width="5" height="8.5" rx="2.500" /><path d="M3 7.750a5 5 0 0 0 10 0M8 12.750v1.750" />`,sessions:l`<path d="M2.250 6.250v3.500M5.100 3.750v8.500M8 5.750v4.500M10.900 2.500v11M13.750 6.250v3.500" />`,records:l`<path d="M2.750 3.750h10.500M2.750 8h10.500M2.750 12.250H9" />`,load:l`<path d="M2 13.750h12M2.500 11.250c5.250 0 8-2 10.250-8" />`,theme:l`<circle cx="8" cy="8" r="5.500" /><path class="solid" d="M8 2.500a5.500 5.500 0 0 1 0 11z" />`,key:l`<circle cx="5.250" cy="10.750" r="2.750" /><path d="m7.200 8.800 6.050-6.050M10.750 5.250l2 2" />`,close:l`<path d="m4 4 8 8m0-8-8 8" />`,down:l`<path d="m4 6.250 4 4 4-4" />`,right:l`<path d="m6 4 4 4-4 4" />`,left:l`<path d="m10 4-4 4 4 4" />`,check:l`<path d="m3 8.500 3.250 3.250 6.750-7.500" />`,copy:l`<rect x="5.250" y="5.250" width="8" height="8" rx="1.500" /><path d="M10.500 5.250v-1.500a1.250 1.250 0 0 0-1.250-1.250h-5.250A1.250 1.250 0 0 0 2.750 3.750V9A1.250 1.250 0 0 0 4 10.250h1.250" />`,link:l`<path d="M6.500 9.500a2.750 2.750 0 0 0 3.900 0l2.300-2.300a2.750 2.750 0 0 0-3.900-3.900l-.9.900M9.500 6.500a2.750 2.750 0 0 0-3.900 0L3.300 8.800a2.750 2.750 0 0 0 3.900 3.900l.9-.9" />`,size:l`<path d="m2 12.500 3.750-9.250L9.500 12.500M3.250 9.500h5M10.250 12.500l2-4.750 2 4.750M10.900 11h2.700" />`,options:l`<path d="M2.250 5h6M12 5h1.750M2.250 11H4m3.500 0h6.250" /><circle cx="10.250" cy="5" r="1.750" /><circle cx="5.750" cy="11" r="1.750" />`,warning:l`<path d="M8 2.250 1.750 13.250h12.500zM8 6.500v3M8 11.400v.01" />`,unplugged:l`<path d="M5.750 1.750v3m4.500-3v3M3.750 4.750h8.500v2.750a4.250 4.250 0 0 1-8.500 0zM8 11.750v2.500" />`,again:l`<path d="M13.250 2.750v3.500h-3.500M12.900 6A5.400 5.400 0 1 0 13.400 8.750" />`,file:l`<path d="M9.250 1.750h-5a1 1 0 0 0-1 1v10.500a1 1 0 0 0 1 1h7.500a1 1 0 0 0 1-1v-8zM9.250 1.750v3.500h3.500" />`,play:l`<path class="solid" d="M5 3.250v9.500L12.500 8z" />`,pause:l`<path class="solid" d="M4.500 3.250h2.250v9.500H4.500zM9.250 3.250h2.250v9.500H9.250z" />`,globe:l`<circle cx="8" cy="8" r="5.750" /><path d="M2.250 8h11.500M8 2.250c3.200 3.400 3.200 8.100 0 11.500M8 2.250c-3.200 3.400-3.200 8.100 0 11.500" />`,lock:l`<rect x="3.250" y="7" width="9.500" height="6.750" rx="1.500" /><path d="M5.250 7V5a2.750 2.750 0 0 1 5.500 0v2" />`,download:l`<path d="M8 2.250v8M4.750 7.250 8 10.500l3.250-3.250M2.750 13.500h10.500" />`,search:l`<circle cx="7" cy="7" r="4.250" /><path d="m10.250 10.250 3.500 3.500" />`,trash:l`<path d="M2.750 4.250h10.500M6 4.250V2.500h4v1.750M4.250 4.250l.6 9h6.300l.6-9M6.750 7v3.750M9.250 7v3.750" />`,more:l`<path class="solid" d="M3.500 7.250h.01v1.500H3.500zM8 7.250h.01v1.500H8zM12.500 7.250h.01v1.500h-.01z" />`,disk:l`<path d="M2.500 9.500h11v4h-11zM2.500 9.500 4.250 2.750h7.500L13.500 9.500M11 11.500h.01" />`,up:l`<path d="m4 9.750 4-4 4 4" />`,plus:l`<path d="M8 3v10M3 8h10" />`};function D({name:e}){return l`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${Hf[e]}</svg>`}async function Bf(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.body.appendChild(document.createElement("textarea"));t.value=e,t.select(),document.execCommand("copy"),t.remove()}function eo({text:e,label:t="Copy",only:n=!1,class:o="quiet small",disabled:s=!1}){let[i,r]=E(!1);z(()=>{if(!i)return;let c=setTimeout(()=>r(!1),2e3);return()=>clearTimeout(c)},[i]);let a=async()=>{await Bf(typeof e=="function"?e():e),r(!0)};return l`<button type="button" class=${`button ${o} ${n?"only":""}`} aria-label=${n?i?"Copied":t:null} disabled=${s} onClick=${a}>
    <${D} name=${i?"check":"copy"} />${!n&&(i?"Copied":t)}
  </button>`}function Pn({text:e}){return l`<div class="command"><code>${e}</code><${eo} text=${e} label="Copy the command" only /></div>`}function Vf(e,t){return e.status===401?"This key is not known here. Perhaps it was removed, or it belongs to another machine.":e.status===403?"This is a token. Signing in takes a key: tokens are made with one and allow less.":e.status===429?`Too many wrong keys came from here. Try again in ${t} s.`:e.status===0?"steno does not answer. It may be starting again, which takes a few seconds.":e.message}function fi({onDone:e}){let t=j(null),[n,o]=E(null),[s,i]=E(0),[r,a]=E(!1);return z(()=>t.current.focus(),[]),z(()=>{if(s<=0)return;let p=setTimeout(()=>i(s-1),1e3);return()=>clearTimeout(p)},[s]),z(()=>{n&&t.current.select()},[n]),l`<form class="sign-in" onSubmit=${async p=>{p.preventDefault();let f=t.current.value.trim();if(f===""||r||s>0)return t.current.focus();a(!0);try{await bc(f),e?.()}catch(u){o(u),i(u.retryAfter??0)}finally{a(!1)}}}>
    <label class="field">
      <span class="name">Key</span>
      <input
        class="input"
        type="password"
        autocomplete="current-password"
        spellcheck=${!1}
        ref=${t}
        aria-invalid=${n?"true":null}
        aria-describedby=${n?"refused":null}
      />
    </label>
    ${n&&l`<p class="refused" id="refused" role="alert"><${D} name="warning" /><span>${Vf(n,s)}</span></p>`}
    <button class="button primary">${s>0?`Try again in ${s} s`:"Sign in"}</button>
    <p class="second dim">Kept for 12 hours in a cookie that scripts cannot read.</p>
    <p class="second mid no-key">No key yet? On the machine, in the folder where the gateway was started, or with its --data, --valkey or --config:</p>
    <${Pn} text='steno keys add "front desk"' />
  </form>`}import{LiveSession as Oc,Microphone as em,Recording as Dc}from"../client.js";var On=class{items=[];finals=0;speech=[];ends=[];voices=new Set;#e=0;summary=null;chapters=null;take(t){let{type:n,data:o}=t;switch(n){case"transcript":return this.#t(o);case"speech_start":return this.speech.push({channel:o.channel,start:o.time,end:null}),this.speech.length>400&&this.speech.shift(),"";case"speech_end":return this.#o(o);case"named_entity_recognition":return o?this.#s(o.utterance_id,{entities:o.results}):"";case"sentiment_analysis":return o?this.#s(o.utterance_id,{mood:Uf(o.results)}):"";case"translation":return this.#i(o,t.error);case"post_summarization":return this.summary={text:o?.results??null,error:t.error?.message??null},"other";case"post_chapterization":return this.chapters={list:o?.results??[],error:t.error?.message??null},"other"}return""}divide(t){let n=this.items.length;for(;n>0&&this.items[n-1].state==="partial";)n--;this.items=this.items.toSpliced(n,0,{id:`divider ${this.#e++}`,state:"divider",text:t})}text(){return this.items.filter(t=>t.utterance&&t.state!=="partial").map(t=>t.utterance.text.trim()).join(`
`)}end(){this.items=this.items.filter(t=>t.state!=="partial");for(let t of this.speech)t.end??=t.start}#t({id:t,is_final:n,utterance:o}){let s=this.items.findLastIndex(a=>a.id===t),i=this.items[s];if(i&&i.state!=="partial")return"";let r={...i,id:t,utterance:o,state:n?i?"settling":"final":"partial"};return this.#n(s,r),n?(this.finals++,this.voices.add(`${o.channel} ${o.speaker??""}`),this.ends.push(o.end),this.ends.length>400&&this.ends.shift(),"final"):"partial"}#n(t,n){let o=[...this.items];if(t>=0)o[t]=n;else{let s=o.length;for(;s>0&&o[s-1].utterance&&o[s-1].utterance.start>n.utterance.start;)s--;o.splice(s,0,n)}this.items=o}#o({channel:t,time:n}){let o=this.speech.findLast(s=>s.channel===t&&s.end===null);return o&&(o.end=n),""}#i(t,n){let o=t?.utterance_id,s=this.items.findLast(a=>a.id===o);if(!s)return"";let i={language:t.target_language,text:t.translated_utterance?.text.trim(),error:n?.message},r=(s.translations??[]).filter(a=>a.language!==i.language);return this.#s(o,{translations:[...r,i]})}#s(t,n){let o=this.items.findLastIndex(s=>s.id===t);return o<0?"":(this.#n(o,{...this.items[o],...n}),"other")}};function Uf(e){let t=e.find(n=>n.sentiment!=="neutral"&&n.sentiment!=="unknown");return t?[t.sentiment,t.emotion].filter(n=>n&&n!=="neutral"&&n!=="unknown").join(", "):""}var vs=e=>e.speaker===void 0||e.speaker===null?{n:e.channel,name:`Channel ${e.channel+1}`}:{n:e.speaker,name:`Speaker ${e.speaker+1}`};var Gf=new Intl.NumberFormat("en",{maximumFractionDigits:0}),Kf=new Intl.DisplayNames(["en"],{type:"language",fallback:"code"}),R=e=>Gf.format(e);function ie(e,t=0){let n=10**t,o=Math.floor(Math.max(0,e)*n+1e-6)/n,s=Math.floor(o/3600),i=Math.floor(o/60)%60,r=(o%60).toFixed(t).padStart(t?3+t:2,"0");return s?`${s}:${String(i).padStart(2,"0")}:${r}`:`${i}:${r}`}function nt(e){if(e<10)return`${Math.round(e*10)/10} s`;let t=Math.round(e);if(t<60)return`${t} s`;if(t<3600)return t%60?`${Math.floor(t/60)} min ${t%60} s`:`${t/60} min`;let n=Math.round(t/60);return n%60?`${Math.floor(n/60)} h ${n%60} min`:`${n/60} h`}function mi(e){let t=["bytes","KB","MB","GB","TB"],n=0;for(;e>=1e3&&n<t.length-1;n++)e/=1e3;return`${n&&e<10?e.toFixed(1):Math.round(e)} ${t[n]}`}var me=(e,t,n=t+"s")=>`${R(e)} ${e===1?t:n}`,Fe=e=>e.length<2?e.join():e.slice(0,-1).join(", ")+" and "+e.at(-1);function ue(e){try{return Kf.of(e==="jw"?"jv":e)}catch{return e}}var to=e=>e?.realtime_processing?.translation&&e.realtime_processing.translation_config?.target_languages||[],ht=e=>new Date(e).toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"});function xt(e,t=new Date){let n=new Date(e),o=r=>new Date(r.getFullYear(),r.getMonth(),r.getDate()).getTime(),s=Math.round((o(t)-o(n))/864e5);if(s===0)return"today";if(s===1)return"yesterday";if(s===-1)return"tomorrow";let i=n.getFullYear()===t.getFullYear()?void 0:"numeric";return n.toLocaleDateString("en-GB",{weekday:"long",day:"numeric",month:"long",year:i})}var hi=(e,t)=>[...e].sort((n,o)=>n-o)[Math.max(0,Math.ceil(t*e.length)-1)];function Io(e){if(e.length===0)return null;let t=[...e].sort((o,s)=>o-s),n=t.length>>1;return t.length%2?t[n]:(t[n-1]+t[n])/2}var gi=e=>(e.charAt(0).toUpperCase()+e.slice(1)).replaceAll("_"," ");var Sc=["Transcripts","Speech","Add-ons","Acks","Lifecycle"];function Yf(e){return e==="transcript"?"Transcripts":e==="speech_start"||e==="speech_end"?"Speech":e==="audio_chunk"||e==="stop_recording"?"Acks":/^(start|end)_/.test(e)||e==="error"||e==="sent"||e==="closed"?"Lifecycle":"Add-ons"}var jo=class{entries=[];received=0;acks=0;#e=0;#t=performance.now();take(t,n,o=performance.now()){this.received++,n.type==="audio_chunk"&&this.acks++,this.#n({at:o,up:!1,type:n.type,text:t,partial:n.type==="transcript"&&!n.data.is_final})}note(t,n){this.#n({at:performance.now(),up:t==="sent",type:t,text:JSON.stringify(n),partial:!1})}lines(){return this.entries.map(t=>t.text).join(`
`)+`
`}#n(t){this.entries=[...this.entries.slice(this.entries.length>=5e3?5e3/10:0),{...t,n:this.#e++,at:(t.at-this.#t)/1e3,group:Yf(t.type)}]}};var bi={languages:[],model:"stt-1",endpointing:.3,longest:20,threshold:.6,enhance:!1,entities:!1,translation:!1,targets:[],sentiment:!1,speakers:!1,vocabulary:!1,words:"",summary:!1,chapters:!1,more:{}},vi=16e3,Yr=e=>[...new Set(e.split(/[\n,]/).map(t=>t.trim()).filter(Boolean))],$i={endpointing:.05,longest:5,threshold:.6,model:"stt-1"};function wi(e){let t={encoding:"wav/pcm",bit_depth:16,sample_rate:vi,channels:1};e.model!==$i.model&&(t.model=e.model),e.endpointing!==$i.endpointing&&(t.endpointing=e.endpointing),e.longest!==$i.longest&&(t.maximum_duration_without_endpointing=e.longest),e.languages.length>0&&(t.language_config={languages:e.languages,...e.languages.length>1&&{code_switching:!0}});let n={...e.enhance&&{audio_enhancer:!0},...e.threshold!==$i.threshold&&{speech_threshold:e.threshold}};Object.keys(n).length>0&&(t.pre_processing=n);let o=Jf(e);Object.keys(o).length>0&&(t.realtime_processing=o);let s={...e.summary&&{summarization:!0},...e.chapters&&{chapterization:!0}};Object.keys(s).length>0&&(t.post_processing=s);for(let[i,r]of Object.entries(e.more??{}))t[r]={...t[r],[i]:!0};return t.messages_config={receive_partial_transcripts:!0,receive_lifecycle_events:!0},t}function Jf(e){let t={},n=Yr(e.words);return e.entities&&(t.named_entity_recognition=!0),e.sentiment&&(t.sentiment_analysis=!0),e.speakers&&(t.diarization=!0),e.translation&&e.targets.length>0&&(t.translation=!0,t.translation_config={target_languages:e.targets}),e.vocabulary&&n.length>0&&(t.custom_vocabulary=!0,t.custom_vocabulary_config={vocabulary:n}),t}var Tc=e=>Object.keys(e).filter(t=>!["encoding","bit_depth","sample_rate","channels","messages_config"].includes(t));var Zf=20,Mc=4e3,xi=class{#e=[];#t={ack:[],partial:[],final:[]};constructor(t){this.rate=t}heard(t,n=performance.now()){this.#e.push({end:t,at:n}),this.#e.length>Mc&&this.#e.splice(0,Mc/2)}acked(t,n=performance.now()){this.#n("ack",t,n)}said(t,n,o=performance.now()){this.#n(t,n*this.rate,o)}forget(){this.#e=[],this.#t={ack:[],partial:[],final:[]}}get medians(){let{ack:t,partial:n,final:o}=this.#t;return{ack:Io(t),partial:Io(n),final:Io(o)}}#n(t,n,o){let s=this.#o(n);if(!s)return;let i=this.#t[t];i.push(Math.max(0,o-s.at)),i.length>Zf&&i.shift()}#o(t){let n=0,o=this.#e.length;if(!(o===0||t<this.#e[0].end-this.rate)){for(;n<o;){let s=n+o>>1;this.#e[s].end<t?n=s+1:o=s}return this.#e[n]}}};import{OpenError as Cc}from"../client.js";var yi=e=>e.charAt(0).toUpperCase()+e.slice(1).replace(/ \([a-z_.]+\)$/,"")+".";function zc(e){switch(e){case 4409:return{icon:"warning",title:"This session went on in another window.",text:"It is recorded there."};case 4401:return{kind:"bad",title:"The session was over before the connection came back.",text:"What had arrived until then is kept as a record."};case 4429:return{kind:"bad",icon:"key",title:"This key may not go on.",text:"It was removed, or is at its limit. What had arrived until then is kept."}}return{kind:"bad",title:"The session has ended too early.",text:"What had arrived until then is kept as a record."}}var Ec={NotAllowedError:{icon:"microphone",title:"The browser does not let this page listen.",text:"Allow the microphone in the address bar, then try again. A recording works without."},NotFoundError:{icon:"microphone",title:"There is no such microphone.",text:"Plug one in, or choose another. A recording works without."},OverconstrainedError:{icon:"microphone",title:"That microphone is not there now.",text:"Plug it in, or choose another. A recording works without."},NotReadableError:{icon:"microphone",title:"The microphone is in use.",text:"Another program holds it. Close that, then try again."},SecurityError:{icon:"lock",title:"Browsers give microphones to https and localhost alone.",text:"Open this page by one of these, or use a recording."},EncodingError:{icon:"file",title:"The browser cannot play this file.",text:"It may be no recording. Under Records, files of more kinds can be handed in."}};function Jr(e){return e instanceof Cc?Ac(e):e instanceof Qn?Ac(new Cc(e.status,e.message,e.faults,e.retryAfter)):e.name==="AbortError"?Lc():Ec[e.name]?{kind:"bad",action:"file",...Ec[e.name]}:{kind:"bad",title:"It did not begin.",text:e.message}}var Lc=(e=5)=>({kind:"bad",icon:"unplugged",title:"steno does not answer.",text:"Nothing was recorded. It may be starting again, which takes a few seconds.",again:e});function Ac(e){let t=e.retryAfter??5;switch(e.status){case 0:case 502:case 504:return Lc(t);case 401:return ln.set(!0),null;case 403:return{kind:"bad",icon:"key",title:"This key may not open sessions.",text:yi(e.message)};case 429:return Qf(e,t);case 503:return Xf(e,t);case 507:return{kind:"bad",icon:"disk",title:"The disk is full, so nothing new is recorded.",text:"What is there is kept."}}return{kind:"bad",title:"The options do not go together.",text:[e.message,...e.faults].map(yi).join(" ")}}function Qf(e,t){let n=/has (\d+) unfinished sessions/.exec(e.message)?.[1];return n?{kind:"bad",icon:"key",title:`This key has ${me(Number(n),"session")} open, and may have ${n}.`,text:"End one under Sessions, or use another key.",action:"sessions"}:{kind:"bad",icon:"key",title:"This key is at its limit.",text:yi(e.message),again:t}}function Xf(e,t){let n=`Room is likely in about ${t} s.`;return/speak as may|fully used/.test(e.message)?{kind:"bad",title:"No room for another session.",text:`As many people are speaking as this machine can follow. ${n}`,again:t}:/behind|overloaded/.test(e.message)?{kind:"bad",title:"No room for another session.",text:`This machine is behind with the sessions that it has. ${n}`,again:t}:/shutting down|starting/.test(e.message)?{kind:"warn",icon:"again",title:"steno is starting again.",text:"Running sessions wait and go on by themselves. New ones can begin in a few seconds.",again:t}:{kind:"bad",title:"No session can begin now.",text:`${yi(e.message)} ${n}`,again:t}}var no=null,Zr=!1;async function Pc(){if(!(!Zr||no||document.hidden||!navigator.wakeLock))try{no=await navigator.wakeLock.request("screen"),no.addEventListener("release",()=>no=null),Zr||await no.release()}catch{no=null}}function oo(e){Zr=e,e?Pc():no?.release()}document.addEventListener("visibilitychange",Pc);var ws=vi*2,tm=30,Rc=20,nm=4e3,om=6,Qr="steno.recording",ye=le("idle"),jt=le(null),qt=le(0),_i=le({level:-60,peak:-60,clipping:!1}),Mt=le(0),so=le({ack:null,partial:null,final:null}),qo=le(0),xs=le(null),ki=le(null),ys=le(!1),ee=null,Nc=e=>e>0?20*Math.log10(e):-60,Si=class{conversation=new On;log=new jo;timing=new xi(ws);session=null;source=null;levels=new Float32Array(tm*Rc);position=0;begun=Date.now();left=!1;#e=!1;constructor(t,n){this.request=t,this.from=n}get id(){return this.session?.id??""}async open(){this.source=await this.#t();try{this.session=await Oc.open({base:tt,request:this.request,ownSocket:!0})}catch(t){throw await this.source?.close(),t}this.log.note("sent",this.request),this.#a(),this.#i(),this.#e&&this.stop()}async takeUp(t){if(this.session=new Oc({saved:t}),Mt.set(this.session.sent/ws),this.#a(),await this.#m(),this.from.kind!=="microphone")return this.stop();t.stopping||this.#e||(this.source=await this.#t(),this.#e&&this.#n(),this.#i())}stop(){this.#n(),this.session&&(this.session.state!=="ended"&&ye.set("finishing"),this.session.stop())}waiting=[];async#t(){let t={sampleRate:vi,onAudio:n=>this.#o(n),onLevel:n=>this.#s(n),onEnd:()=>this.#u()};return this.from.kind==="sample"?Dc.open({file:await(await Ro("console/sample.wav")).blob(),...t}):this.from.kind==="file"?Dc.open({file:this.from.file,...t}):em.open({deviceId:this.from.deviceId,...t})}#n(){this.#e=!0,this.source?.close(),this.source=null}#o(t){if(!this.session){this.waiting.push(t);return}this.session.send(t),this.timing.heard(this.session.sent),Mt.set(this.session.sent/ws),this.session.state==="lost"&&this.#r()}#i(){let t=this.waiting;this.waiting=[];for(let n of t)this.#o(n)}#s({rms:t,peak:n}){this.levels[this.position++%this.levels.length]=t;let o=n>.99;_i.set({level:Nc(t),peak:Math.max(Nc(n),_i.get().peak-.6),clipping:o});let s=this.position>=om*Rc&&this.levels.every((i,r)=>r>=this.position||i<1e-5);ys.set(s&&this.from.kind==="microphone")}#u(){this.#e||(this.from.kind==="microphone"&&jt.set({kind:"warn",icon:"microphone",title:"The microphone is gone.",text:"It was unplugged or taken away. What was said is kept."}),this.stop())}#a(){this.session.addEventListener("raw",({detail:t})=>this.#l(t)),this.session.addEventListener("state",({detail:t})=>this.#c(t)),this.session.addEventListener("end",({detail:t})=>this.#f(t)),this.session.state==="open"&&this.#c("open")}#l({text:t,at:n}){let o=JSON.parse(t);this.log.take(t,o,n),this.#d(o,n);let s=this.conversation.take(o);s==="final"&&(ps(o.data.utterance.text.trim()),jt.get()?.passing&&jt.set(null)),o.type==="error"&&jt.set({kind:"warn",icon:"unplugged",passing:!0,title:"The engine is in trouble.",text:`${o.error?.message??"It did not answer."} The session goes on.`}),qo.set(qo.get()+1),s&&qt.set(qt.get()+1)}#d(t,n){if(t.type==="audio_chunk"&&t.data)this.timing.acked(t.data.byte_range[1],n);else if(t.type==="transcript")this.timing.said(t.data.is_final?"final":"partial",t.data.utterance.end,n);else return;so.set(this.timing.medians)}#c(t){let n=ye.get()==="finishing";t==="lost"?(this.lostAt??=this.session.acked,this.timing.forget(),so.set(this.timing.medians),n||ye.set("resuming"),this.#r(),clearInterval(this.teller),this.teller=setInterval(()=>this.#r(),250)):t==="open"&&(this.#p(),n||ye.set("recording"))}#r(){let t=this.session.nextAttempt;xs.set({kept:this.session.kept/ws,next:t===null?null:Math.max(0,t-Date.now())})}#p(){if(clearInterval(this.teller),xs.set(null),this.lostAt===void 0)return;let t=(this.session.sent-this.lostAt)/ws;this.lostAt=void 0,ki.set(t),setTimeout(()=>ki.set(null),nm),this.conversation.divide(`connection lost, ${t.toFixed(1)} s sent again`),qt.set(qt.get()+1)}#f({code:t,reason:n}){clearInterval(this.teller),xs.set(null),this.#n(),this.log.note("closed",{code:t,reason:n}),!Ic&&(t!==1e3&&jt.set(zc(t)),this.conversation.end(),this.conversation.divide(`end, ${ie(Mt.get(),1)}`),ys.set(!1),qt.set(qt.get()+1),qo.set(qo.get()+1),ye.set("ended"),ps("The recording has ended."))}async#m(){let t=new AbortController,n=setTimeout(()=>t.abort(),3e3);try{let s=(await Ro(`v2/live/${this.id}/events?from=0`,{headers:{accept:"text/event-stream"},signal:t.signal})).body.pipeThrough(new TextDecoderStream).getReader();for(let i="";;){let{value:r,done:a}=await s.read();if(a)break;clearTimeout(n),n=setTimeout(()=>t.abort(),500);let c=(i+r).split(`
`);i=c.pop();for(let p of c)p.startsWith("data:")&&this.#l({text:p.slice(5).trim(),at:performance.now()})}}catch(o){o.name!=="AbortError"&&jt.set({kind:"warn",title:"What was said before is not shown.",text:"It is kept, and stands in the record."})}finally{clearTimeout(n)}}};async function Ti(e,t){if(!["idle","ended"].includes(ye.get()))return;ye.set("opening"),jt.set(null),ys.set(!1);let n=new Si(wi(e),t);Mt.set(0),so.set({ack:null,partial:null,final:null});try{ee=n,await n.open(),oo(!0)}catch(o){jt.set(Jr(o)),ye.set("idle"),ee=null}qt.set(qt.get()+1)}function _s(){["recording","resuming"].includes(ye.get())&&ee.stop()}function Mi(){ee=null,Mt.set(0),ye.set("idle"),jt.set(null),qt.set(qt.get()+1)}function Fc(){if(ee){if(ye.get()==="ended")return Mi();ee.left=!0,ee.stop()}}ye.watch(e=>{(e==="ended"||e==="idle")&&oo(!1),e==="ended"&&ee.left&&Mi()});var Ic=!1;addEventListener("pagehide",()=>{if(!ee||!["recording","resuming","finishing"].includes(ye.get()))return;Ic=!0;let e=ee.from.kind,t=ee.session.save();try{let{deviceId:n}=ee.from;t&&sessionStorage.setItem(Qr,JSON.stringify({saved:t,request:ee.request,from:{kind:e,deviceId:n}}))}catch{}});addEventListener("pageshow",e=>e.persisted&&location.reload());async function jc(){let e;try{e=JSON.parse(sessionStorage.getItem(Qr)),sessionStorage.removeItem(Qr)}catch{return}if(!(!e||ee)){ee=new Si(e.request,e.from),ye.set(e.saved.stopping?"finishing":"resuming");try{oo(!0),await ee.takeUp(e.saved)}catch(t){jt.set(Jr(t)),ee.stop()}}}var qc=()=>bs("talk.device",void 0);function ks(){return l`<a class="brand" href="#/talk"
    ><svg class="icon" viewBox="0 0 26 18" aria-hidden="true"
      ><path d="M1.500 11.500C4 4.400 7.200 3.500 7.600 7c.4 3.700-2.700 7.700-3.700 5.900C2.600 10.600 9 6.800 12.100 8.700c2.200 1.400 1.100 4.100 3.600 4.100 3.200 0 4.300-9.400 8.800-10" /></svg
    >steno</a
  >`}function Wo(e,t){let n=[...e.currentTarget.querySelectorAll(t)].filter(r=>!r.disabled),o=n.indexOf(document.activeElement),s={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1},i;e.key in s?i=n[(o+s[e.key]+n.length)%n.length]:e.key==="Home"?i=n[0]:e.key==="End"&&(i=n.at(-1)),i&&(e.preventDefault(),i.focus())}function Wc(e){if(e.key!=="Tab")return;let t=[...e.currentTarget.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')].filter(o=>!o.disabled),n=e.shiftKey?t[0]:t.at(-1);document.activeElement!==n||t.length===0||(e.preventDefault(),(e.shiftKey?t.at(-1):t[0]).focus())}function un({title:e,children:t,actions:n,onClose:o}){let s=j(null),i=j(document.activeElement);return Se("Escape",o),z(()=>{let r=document.activeElement;return s.current.contains(r)||(s.current.querySelector("[autofocus]")??s.current).focus(),()=>i.current?.focus?.()},[]),l`<div class="veil" onPointerDown=${r=>r.target===r.currentTarget&&o()}>
    <div class="dialog" role="dialog" aria-modal="true" aria-label=${e} tabindex="-1" ref=${s} onKeyDown=${Wc}>
      <h2>${e}</h2>
      ${t} ${n&&l`<div class="end">${n}</div>`}
    </div>
  </div>`}var sm=[[["Space"],"Talk, stop; in a record play, pause"],[["o","m","c"],"Options, messages, code"],[["End"],"Go to live and follow"],[["←","→"],"5 seconds back, on; with Shift an utterance"],[["/"],"Search"],[["g","t"],"Go to Talk; with s, r, l to the others"],[["Esc"],"Close what is open"],[["?"],"These keys"]];function Hc({onClose:e}){return l`<${un} title="Keys" onClose=${e} actions=${l`<button type="button" class="button" autofocus onClick=${e}>Close</button>`}>
    <dl class="keys">${sm.map(([t,n])=>l`<dt>${t.map(o=>l`<kbd>${o}</kbd>`)}</dt><dd>${n}</dd>`)}</dl>
  <//>`}var Ss=6;function Bc(e,t,n,o){let s=t.getBoundingClientRect();o==="anchor"&&(e.style.minWidth=`${s.width}px`);let i=e.getBoundingClientRect(),r=innerHeight-s.bottom-Ss,a=i.height<=r||r>=s.top?s.bottom+Ss:s.top-Ss-Math.min(i.height,s.top-Ss-8),c=n==="end"?s.right-i.width:s.left;e.style.top=`${Math.max(8,a)}px`,e.style.left=`${Math.max(8,Math.min(c,innerWidth-i.width-8))}px`,e.style.maxHeight=`${Math.max(120,a>s.top?innerHeight-a-8:s.top-Ss-8)}px`}function bn({anchor:e,onClose:t,children:n,align:o="start",width:s,role:i,label:r,class:a=""}){let c=j(null);Se("Escape",()=>{t(),e.current?.focus()}),an(()=>Bc(c.current,e.current,o,s)),z(()=>{let f=h=>{!c.current.contains(h.target)&&!e.current?.contains(h.target)&&t()},u=h=>{(!(h.target instanceof Node)||!c.current.contains(h.target))&&Bc(c.current,e.current,o,s)};return document.addEventListener("pointerdown",f),addEventListener("resize",u),addEventListener("scroll",u,!0),()=>{document.removeEventListener("pointerdown",f),removeEventListener("resize",u),removeEventListener("scroll",u,!0)}},[]);let p=s&&s!=="anchor"?{width:s}:void 0;return l`<div class=${`float ${a}`} ref=${c} role=${i} aria-label=${r} style=${p}>${n}</div>`}function Ci({label:e,icon:t,only:n=!1,class:o="",align:s="end",items:i}){let[r,a]=E(!1),c=j(null),p=j(null);z(()=>{r&&p.current.querySelector('[role="menuitem"]')?.focus()},[r]);let f=u=>()=>{a(!1),c.current.focus(),u.onPick?.()};return l`<button
      type="button"
      class=${`button ${o} ${n?"only":""}`}
      ref=${c}
      aria-haspopup="menu"
      aria-expanded=${r}
      aria-label=${n?e:null}
      onClick=${()=>a(!r)}
    >
      ${t&&l`<${D} name=${t} />`}${!n&&e}
    </button>
    ${r&&l`<${bn} anchor=${c} align=${s} onClose=${()=>a(!1)} role="menu" label=${e}>
      <div ref=${p} onKeyDown=${u=>Wo(u,'[role="menuitem"]')}>
        ${i.map(u=>u===null?l`<hr />`:l`<${u.href?"a":"button"}
                role="menuitem"
                tabindex="-1"
                class=${u.danger?"danger":""}
                href=${u.href}
                download=${u.download}
                onClick=${f(u)}
                ><span>${u.label}</span>${u.note&&l`<small>${u.note}</small>`}<//
              >`)}
      </div>
    <//>`}`}function fe({kind:e="",icon:t=e?"warning":"check",title:n,children:o,action:s,box:i=!1}){return l`<div class=${`notice ${e} ${i?"box":""}`} role=${e==="bad"?"alert":"status"}>
    <${D} name=${t} />
    <p><strong>${n}</strong> ${o}</p>
    ${s}
  </div>`}var Ei=[{name:"talk",title:"Talk",icon:"microphone",key:"t"},{name:"sessions",title:"Sessions",icon:"sessions",key:"s"},{name:"records",title:"Records",icon:"records",key:"r"},{name:"load",title:"Load",icon:"load",key:"l"}];function Vc({children:e}){let[t,n]=E(!1),{page:o}=F(No),s=F(gs).state==="ready";pt(yc,s?10:2,[s]),z(()=>void jc(),[]),Se("?",()=>n(!0));for(let r of Ei)Se(`g ${r.key}`,()=>zn([r.name]));return l`<a class="skip" href="#main" onClick=${r=>{r.preventDefault(),document.getElementById("main").focus()}}>Skip to content</a>
    <header class="top">
      <${ks} />
      <${im} page=${o} />
      <div class="state"><${rm} /><${am} onKeys=${()=>n(!0)} /></div>
    </header>
    <${lm} />
    ${e} <${cm} /> ${t&&l`<${Hc} onClose=${()=>n(!1)} />`}`}function im({page:e}){let t=F($s);return l`<nav class="pages" aria-label="Main">
    ${Ei.map(n=>l`<a key=${n.name} href=${"#/"+n.name} aria-current=${n.name===e?"page":null}>
        <${D} name=${n.icon} />${n.title}${n.name==="sessions"&&t>0&&l`<span class="count">${t}</span>`}
      </a>`)}
  </nav>`}function rm(){let{state:e,reason:t}=F(gs),n=ui(F(ft)),[o,s]={unknown:["open",""],ready:n?.is==="stand-in"?["warn",`${Xn(n.away)} is away`]:["live","Engines ready"],unready:["warn","Not ready"],away:["bad","No answer"]}[e];return s&&l`<span class="row" title=${t}><i class=${`dot ${o}`}></i>${s}</span>`}function am({onKeys:e}){let t=F(Ln),n=()=>{Fc(),vc().catch(()=>{})};return l`<span class="tools">
    <a class="button quiet small wide" href="docs">Docs</a>
    <button type="button" class="button quiet small only" aria-label="Change theme" onClick=${pi}><${D} name="theme" /></button>
    ${t&&l`<${Ci}
      label=${`Signed in to ${t.account}`}
      icon="key"
      only
      class="quiet small"
      items=${[{label:"Keys of the keyboard",note:"?",onPick:e},{label:"API description",href:"docs"},null,{label:"Sign out",note:t.account,onPick:n}]}
    />`}
  </span>`}function lm(){let e=F(ln),[t,n]=E(!1);return e?l`<${fe}
      icon="key"
      title="You were signed out."
      action=${l`<button type="button" class="button small" onClick=${()=>n(!0)}>Sign in</button>`}
      >A recording that runs goes on.<//
    >
    ${t&&l`<${un} title="Which key?" onClose=${()=>n(!1)}><${fi} onDone=${()=>n(!1)} /><//>`}`:null}function cm(){return l`<p class="unseen" aria-live="polite">${F(ci)}</p>`}var um=1,dm=64e6,Ct=e=>e<1?`${Math.round(e*1e3)} ms`:`${Number(e.toPrecision(3))} s`,Ts=e=>R(Math.round(e*1e3));async function Uc(e){if(e.size>dm)throw new Error(`${e.name} is larger than 64 MB, so it is no report.`);let t;try{t=JSON.parse(await e.text())}catch{throw new Error(`${e.name} is no JSON. Open the file that loadtest wrote with --json.`)}if(typeof t!="object"||t===null||!t.delays?.final||!t.load)throw new Error(`${e.name} is JSON, but no report of loadtest.`);if(t.format>um)throw new Error(`${e.name} was written by a newer loadtest than this page knows.`);return t}function Dn(e){let t=new Map;for(let n of e.capacity?.trials??[])n.kind!=="warm-up"&&!(t.get(n.sessions)?.seconds>n.seconds)&&t.set(n.sessions,n);return[...t.values()].sort((n,o)=>n.sessions-o.sessions)}var Gc={ack:"acks",partial:"partials",final:"finals"};function Rn(e){let t=(e.objectives??[]).filter(n=>n.measure in Gc&&n.quantile);return t.find(n=>n.measure==="final")??t[0]??null}var Ms=e=>`promised: ${Gc[e.measure]} within ${Ct(e.limit)}`,Nn=e=>Rn(e)?.quantile??"p95",Xr={p50:"one of two",p90:"nine of ten",p95:"nineteen of twenty",p99:"99 of 100",p999:"999 of 1,000",max:"all"},Ai=[["ack","Ack"],["first_partial","First partial"],["partial","Partial"],["final","Final"],["final_after_speech_end","Final after speech_end"],["final_of_cut","Final of a cut utterance"],["subscriber","Final at a subscriber"],["create","Create"],["connect","Connect"],["sender_lag","Generator late by"]];function Kc(e){let t=e.capacity;return t?.unknown?["This report cannot say what the server carries."]:t&&t.sessions===0?["This server does not carry even one speaker as promised."]:t?["This server carries ",(t.limit?"":"at least ")+R(t.sessions)," people speaking at once."]:e.generator.saturated?["This report cannot say how fast the server is."]:["",R(e.sessions),` people spoke at once for ${nt(e.wall_seconds)}.`]}function Yc(e){let t=e.capacity;if(t?.unknown)return[`The search ended without an outcome: ${t.unknown}. Run the generator on another machine, or on more cores.`];if(!t&&e.generator.saturated)return[`The generator itself was too slow: ${e.generator.saturated}. Run it on another machine, or on more cores.`];let n=Nn(e),o=e.delays.final,s=Rn(e),i=[`At ${R(e.sessions)}, ${Xr[n]??"nineteen of twenty"} finals came within `,{b:Ct(o[n]??o.p95)}];s?.measure==="final"&&i.push(`; promised were ${Ct(s.limit)}`),i.push(". ");let r=t?.limit?Dn(e).find(a=>a.sessions===t.limit):null;return r&&i.push(`At ${R(r.sessions)} they took `,{b:Ct(r.final[n])},". "),t?.sessions>0&&i.push("If half of each call is silence, expect about ",{b:`${R(t.sessions*2)} calls`},"."),i}function Jc(e){let t=e.generator,n=t.saturated?[`No. The generator was too slow: ${t.saturated}.`]:[`Yes. The frames of the generator went out at most ${(t.lag_p99*1e3).toFixed(1)} ms late (p99), and it used ${Math.round(t.used*100)} % of ${R(t.processors)} processors.`];e.server&&n.push("It shared the machine with the server.");let o=Object.values(e.errors??{}).reduce((s,i)=>s+i,0)+e.failed+e.missing+e.differing;return o+e.gaps+e.reconnects+e.repeats===0?n.push("No gap, no error, nothing sent twice."):n.push(`${R(o)} errors, ${R(e.gaps)} gaps in acks, ${R(e.reconnects)} reconnections, ${R(e.repeats)} finals repeated.`),e.words&&n.push(`Word error rate: ${(e.words.rate*100).toFixed(1)} %.`),n.join(" ")}function Cs(e){let t=e.load,n=(e.objectives??[]).map(o=>o.quantile?`${o.measure}_${o.quantile}=${Math.round(o.limit*1e3)}ms`:`${o.measure}=${o.limit}`);return[["Server",t.url],["Audio",`${R(t.recordings)} ${t.recordings===1?"recording":"recordings"}, ${t.audio}, frames of ${Math.round(e.chunk_seconds*1e3)} ms`],["Sessions",`${R(e.done)} done, ${R(e.failed)} failed, ${nt(e.audio_seconds)} of audio`],["Transcripts",`${R(e.finals)} finals, ${R(e.partials)} partials`],["Server used",e.server&&`${e.server.processor.toFixed(2)} processors, ${Math.round(e.server.memory/1048576)} MiB at most`],["Pauses added",t.silence>0&&`${Math.round(t.silence*100)} % of the time`],["Jitter",t.jitter_seconds>0&&`up to ${Ct(t.jitter_seconds)}`],["Connections cut",t.drop_every_seconds>0&&`every ${Ct(t.drop_every_seconds)} each, ${R(e.dropped)} in all`],["Errors",Object.keys(e.errors??{}).length>0&&Fe(Object.entries(e.errors).map(([o,s])=>`${o} ${R(s)}`))],["Promise",n.join(", ")],["Seed",String(t.seed)]].filter(([,o])=>o)}var Qc=.02,Xc=(e,t)=>new Date(e.report.started)<=new Date(t.report.started)?{before:e,now:t}:{before:t,now:e},Zc=e=>!!(e.capacity?.unknown||e.generator.saturated),ea=(e,t)=>e>0&&t>0?t/e-1:null;function eu(e){return e===null?"–":Math.abs(e)<Qc?"as before":`${e>0?"+":"−"}${R(Math.round(Math.abs(e)*100))} %`}function tu(e,t){if(Zc(e)||Zc(t))return["One of these reports cannot say what its server carries."];if(e.capacity&&t.capacity)return pm(e.capacity.sessions,t.capacity.sessions);let n=Nn(t),o=ea(e.delays.final[n],t.delays.final[n]);return o===null?["One of these reports knows of no finals."]:Math.abs(o)<Qc?["Finals come as soon as before."]:["Finals come ",`${R(Math.round(Math.abs(o)*100))} % ${o<0?"sooner":"later"}`," than before."]}function pm(e,t){return t===e?["It carries ",R(t)," people, as many as before."]:["It carries ",R(t),` people, ${R(Math.abs(t-e))} ${t>e?"more":"fewer"} than before.`]}function nu(e,t){let n=Nn(t),o=fm(e,t),s=o.findLast(c=>c.before.kept&&c.now.kept)??o.at(-1),[i,r,a]=s?[s.before.final[n],s.now.final[n],`With ${R(s.sessions)} people`]:[e.delays.final[n],t.delays.final[n],`With ${R(e.sessions)} people, then ${R(t.sessions)}`];return i>0&&r>0?[`${a}, ${Xr[n]} finals came within `,{b:Ct(i)}," before and within ",{b:Ct(r)}," now."]:[]}function fm(e,t){let n=new Map(Dn(e).map(o=>[o.sessions,o]));return Dn(t).filter(o=>n.has(o.sessions)&&n.get(o.sessions).final.count>0&&o.final.count>0).map(o=>({sessions:o.sessions,before:n.get(o.sessions),now:o}))}function ou(e,t){let n=new Map;for(let o of Dn(e))n.set(o.sessions,{sessions:o.sessions,before:o});for(let o of Dn(t))n.set(o.sessions,{...n.get(o.sessions),sessions:o.sessions,now:o});return[...n.values()].sort((o,s)=>o.sessions-s.sessions)}var mm=["Audio","Pauses added","Jitter","Connections cut","Promise"];function ta(e,t){let n=new Map(Cs(e)),o=new Map(Cs(t));return[...new Set([...n.keys(),...o.keys()])].map(s=>[s,n.get(s)??null,o.get(s)??null])}function su(e,t){let n=ta(e,t).filter(([o,s,i])=>mm.includes(o)&&s!==i).map(([o],s)=>s===0?o:o.toLowerCase());return n.length===0?"":`${Fe(n)} ${n.length===1?"differs":"differ"}, so the server need not be the reason for what has changed.`}var iu=(e,t)=>Rn(t)??Rn(e);var hm="uplot",gm="u-hz",$m="u-vt",bm="u-title",vm="u-wrap",wm="u-under",xm="u-over",ym="u-axis",ao="u-off",_m="u-select",km="u-cursor-x",Sm="u-cursor-y",Tm="u-cursor-pt",Mm="u-legend",Cm="u-live",Em="u-inline",Am="u-series",zm="u-marker",ru="u-label",Lm="u-value",As="width",zs="height";var au="bottom",Ho="left",na="right",va="#000",lu=va+"0",oa="mousemove",cu="mousedown",sa="mouseup",uu="mouseenter",du="mouseleave",pu="dblclick",Pm="resize",Om="scroll",fu="change",Di="dppxchange",wa="--",Jo=typeof window<"u",ca=Jo?document:null,Vo=Jo?window:null,Dm=Jo?navigator:null,ve,zi;function ua(){let e=devicePixelRatio;ve!=e&&(ve=e,zi&&pa(fu,zi,ua),zi=matchMedia(`(min-resolution: ${ve-.001}dppx) and (max-resolution: ${ve+.001}dppx)`),lo(fu,zi,ua),Vo.dispatchEvent(new CustomEvent(Di)))}function Et(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function da(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function Pe(e,t,n){e.style[t]=n+"px"}function Yt(e,t,n,o){let s=ca.createElement(e);return t!=null&&Et(s,t),n?.insertBefore(s,o),s}function Wt(e,t){return Yt("div",e,t)}var mu=new WeakMap;function dn(e,t,n,o,s){let i="translate("+t+"px,"+n+"px)",r=mu.get(e);i!=r&&(e.style.transform=i,mu.set(e,i),t<0||n<0||t>o||n>s?Et(e,ao):da(e,ao))}var hu=new WeakMap;function gu(e,t,n){let o=t+n,s=hu.get(e);o!=s&&(hu.set(e,o),e.style.background=t,e.style.borderColor=n)}var $u=new WeakMap;function bu(e,t,n,o){let s=t+""+n,i=$u.get(e);s!=i&&($u.set(e,s),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var xa={passive:!0},Rm={...xa,capture:!0};function lo(e,t,n,o){t.addEventListener(e,n,o?Rm:xa)}function pa(e,t,n,o){t.removeEventListener(e,n,xa)}Jo&&ua();function Jt(e,t,n,o){let s;n=n||0,o=o||t.length-1;let i=o<=2147483647;for(;o-n>1;)s=i?n+o>>1:At((n+o)/2),t[s]<e?n=s:o=s;return e-t[n]<=t[o]-e?n:o}function Uu(e){return(n,o,s)=>{let i=-1,r=-1;for(let a=o;a<=s;a++)if(e(n[a])){i=a;break}for(let a=s;a>=o;a--)if(e(n[a])){r=a;break}return[i,r]}}var Gu=e=>e!=null,Ku=e=>e!=null&&e>0,Fi=Uu(Gu),Nm=Uu(Ku);function Fm(e,t,n,o=0,s=!1){let i=s?Nm:Fi,r=s?Ku:Gu;[t,n]=i(e,t,n);let a=e[t],c=e[t];if(t>-1)if(o==1)a=e[t],c=e[n];else if(o==-1)a=e[n],c=e[t];else for(let p=t;p<=n;p++){let f=e[p];r(f)&&(f<a?a=f:f>c&&(c=f))}return[a??Te,c??-Te]}function Ii(e,t,n,o){let s=xu(e),i=xu(t);e==t&&(s==-1?(e*=n,t/=n):(e/=n,t*=n));let r=n==10?vn:Yu,a=s==1?At:Ht,c=i==1?Ht:At,p=a(r(Ke(e))),f=c(r(Ke(t))),u=Uo(n,p),h=Uo(n,f);return n==10&&(p<0&&(u=Me(u,-p)),f<0&&(h=Me(h,-f))),o||n==2?(e=u*s,t=h*i):(e=Xu(e,u),t=ji(t,h)),[e,t]}function ya(e,t,n,o){let s=Ii(e,t,n,o);return e==0&&(s[0]=0),t==0&&(s[1]=0),s}var _a=.1,vu={mode:3,pad:_a},Ps={pad:0,soft:null,mode:0},Im={min:Ps,max:Ps};function Ri(e,t,n,o){return qi(n)?wu(e,t,n):(Ps.pad=n,Ps.soft=o?0:null,Ps.mode=o?3:0,wu(e,t,Im))}function $e(e,t){return e??t}function jm(e,t,n){for(t=$e(t,0),n=$e(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function wu(e,t,n){let o=n.min,s=n.max,i=$e(o.pad,0),r=$e(s.pad,0),a=$e(o.hard,-Te),c=$e(s.hard,Te),p=$e(o.soft,Te),f=$e(s.soft,-Te),u=$e(o.mode,0),h=$e(s.mode,0),b=t-e,w=vn(b),_=gt(Ke(e),Ke(t)),S=vn(_),k=Ke(S-w);(b<1e-24||k>10)&&(b=0,(e==0||t==0)&&(b=1e-24,u==2&&p!=Te&&(i=0),h==2&&f!=-Te&&(r=0)));let x=b||_||1e3,T=vn(x),C=Uo(10,At(T)),H=x*(b==0?e==0?.1:1:i),O=Me(Xu(e-H,C/10),24),Y=e>=p&&(u==1||u==3&&O<=p||u==2&&O>=p)?p:Te,J=gt(a,O<Y&&e>=Y?Y:Zt(Y,O)),se=x*(b==0?t==0?.1:1:r),Q=Me(ji(t+se,C/10),24),L=t<=f&&(h==1||h==3&&Q>=f||h==2&&Q<=f)?f:-Te,X=Zt(c,Q>L&&t<=L?L:gt(L,Q));return J==X&&J==0&&(X=100),[J,X]}var qm=new Intl.NumberFormat(Jo?Dm.language:"en-US"),ka=e=>qm.format(e),zt=Math,Oi=zt.PI,Ke=zt.abs,At=zt.floor,Ge=zt.round,Ht=zt.ceil,Zt=zt.min,gt=zt.max,Uo=zt.pow,xu=zt.sign,vn=zt.log10,Yu=zt.log2,Wm=(e,t=1)=>zt.sinh(e)*t,ia=(e,t=1)=>zt.asinh(e/t),Te=1/0;function yu(e){return(vn((e^e>>31)-(e>>31))|0)+1}function fa(e,t,n){return Zt(gt(e,t),n)}function Ju(e){return typeof e=="function"}function de(e){return Ju(e)?e:()=>e}var Hm=()=>{},Zu=e=>e,Qu=(e,t)=>t,Bm=e=>null,_u=e=>!0,ku=(e,t)=>e==t,Vm=/\.\d*?(?=9{6,}|0{6,})/gm,co=e=>{if(td(e)||In.has(e))return e;let t=`${e}`,n=t.match(Vm);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[s,i]=t.split("e");return+`${co(s)}e${i}`}return Me(e,o)};function io(e,t){return co(Me(co(e/t))*t)}function ji(e,t){return co(Ht(co(e/t))*t)}function Xu(e,t){return co(At(co(e/t))*t)}function Me(e,t=0){if(td(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return Ge(o)/n}var In=new Map;function ed(e){return((""+e).split(".")[1]||"").length}function Ds(e,t,n,o){let s=[],i=o.map(ed);for(let r=t;r<n;r++){let a=Ke(r),c=Me(Uo(e,r),a);for(let p=0;p<o.length;p++){let f=e==10?+`${o[p]}e${r}`:o[p]*c,u=(r>=0?0:a)+(r>=i[p]?0:i[p]),h=e==10?f:Me(f,u);s.push(h),In.set(h,u)}}return s}var Os={},Sa=[],Go=[null,null],Fn=Array.isArray,td=Number.isInteger,Um=e=>e===void 0;function Su(e){return typeof e=="string"}function qi(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function Gm(e){return e!=null&&typeof e=="object"}var Km=Object.getPrototypeOf(Uint8Array),nd="__proto__";function Ko(e,t=qi){let n;if(Fn(e)){let o=e.find(s=>s!=null);if(Fn(o)||t(o)){n=Array(e.length);for(let s=0;s<e.length;s++)n[s]=Ko(e[s],t)}else n=e.slice()}else if(e instanceof Km)n=e.slice();else if(t(e)){n={};for(let o in e)o!=nd&&(n[o]=Ko(e[o],t))}else n=e;return n}function Be(e){let t=arguments;for(let n=1;n<t.length;n++){let o=t[n];for(let s in o)s!=nd&&(qi(e[s])?Be(e[s],Ko(o[s])):e[s]=Ko(o[s]))}return e}var Ym=0,Jm=1,Zm=2;function Qm(e,t,n){for(let o=0,s,i=-1;o<t.length;o++){let r=t[o];if(r>i){for(s=r-1;s>=0&&e[s]==null;)e[s--]=null;for(s=r+1;s<n&&e[s]==null;)e[i=s++]=null}}}function Xm(e,t){if(nh(e)){let r=e[0].slice();for(let a=1;a<e.length;a++)r.push(...e[a].slice(1));return oh(r[0])||(r=th(r)),r}let n=new Set;for(let r=0;r<e.length;r++){let c=e[r][0],p=c.length;for(let f=0;f<p;f++)n.add(c[f])}let o=[Array.from(n).sort((r,a)=>r-a)],s=o[0].length,i=new Map;for(let r=0;r<s;r++)i.set(o[0][r],r);for(let r=0;r<e.length;r++){let a=e[r],c=a[0];for(let p=1;p<a.length;p++){let f=a[p],u=Array(s).fill(void 0),h=t?t[r][p]:Jm,b=[];for(let w=0;w<f.length;w++){let _=f[w],S=i.get(c[w]);_===null?h!=Ym&&(u[S]=_,h==Zm&&b.push(S)):u[S]=_}Qm(u,b,s),o.push(u)}}return o}var eh=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function th(e){let t=e[0],n=t.length,o=Array(n);for(let i=0;i<o.length;i++)o[i]=i;o.sort((i,r)=>t[i]-t[r]);let s=[];for(let i=0;i<e.length;i++){let r=e[i],a=Array(n);for(let c=0;c<n;c++)a[c]=r[o[c]];s.push(a)}return s}function nh(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let s=e[o][0];if(s.length!=n)return!1;if(s!=t){for(let i=0;i<n;i++)if(s[i]!=t[i])return!1}}return!0}function oh(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,s=n-1;for(;o<=s&&e[o]==null;)o++;for(;s>=o&&e[s]==null;)s--;if(s<=o)return!0;let i=gt(1,At((s-o+1)/t));for(let r=e[o],a=o+i;a<=s;a+=i){let c=e[a];if(c!=null){if(c<=r)return!1;r=c}}return!0}var od=["January","February","March","April","May","June","July","August","September","October","November","December"],sd=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function id(e){return e.slice(0,3)}var sh=sd.map(id),ih=od.map(id),rh={MMMM:od,MMM:ih,WWWW:sd,WWW:sh};function Es(e){return(e<10?"0":"")+e}function ah(e){return(e<10?"00":e<100?"0":"")+e}var lh={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>Es(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>Es(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>Es(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>Es(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>Es(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>ah(e.getMilliseconds())};function Ta(e,t){t=t||rh;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=o.exec(e);)n.push(s[0][0]=="{"?lh[s[1]]:s[0]);return i=>{let r="";for(let a=0;a<n.length;a++)r+=typeof n[a]=="string"?n[a]:n[a](i,t);return r}}var ch=new Intl.DateTimeFormat().resolvedOptions().timeZone;function uh(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==ch?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var rd=e=>e%1==0,Ni=[1,2,2.5,5],dh=Ds(10,-32,0,Ni),ad=Ds(10,0,32,Ni),ph=ad.filter(rd),ro=dh.concat(ad),Ma=`
`,ld="{YYYY}",Tu=Ma+ld,cd="{M}/{D}",Ls=Ma+cd,Li=Ls+"/{YY}",ud="{aa}",fh="{h}:{mm}",Bo=fh+ud,Mu=Ma+Bo,Cu=":{ss}",xe=null;function dd(e){let t=e*1e3,n=t*60,o=n*60,s=o*24,i=s*30,r=s*365,c=(e==1?Ds(10,0,3,Ni).filter(rd):Ds(10,-3,0,Ni)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,i,i*2,i*3,i*4,i*6,r,r*2,r*5,r*10,r*25,r*50,r*100]),p=[[r,ld,xe,xe,xe,xe,xe,xe,1],[s*28,"{MMM}",Tu,xe,xe,xe,xe,xe,1],[s,cd,Tu,xe,xe,xe,xe,xe,1],[o,"{h}"+ud,Li,xe,Ls,xe,xe,xe,1],[n,Bo,Li,xe,Ls,xe,xe,xe,1],[t,Cu,Li+" "+Bo,xe,Ls+" "+Bo,xe,Mu,xe,1],[e,Cu+".{fff}",Li+" "+Bo,xe,Ls+" "+Bo,xe,Mu,xe,1]];function f(u){return(h,b,w,_,S,k)=>{let x=[],T=S>=r,C=S>=i&&S<r,H=u(w),O=Me(H*e,3),Y=ra(H.getFullYear(),T?0:H.getMonth(),C||T?1:H.getDate()),J=Me(Y*e,3);if(C||T){let se=C?S/i:0,Q=T?S/r:0,L=O==J?O:Me(ra(Y.getFullYear()+Q,Y.getMonth()+se,1)*e,3),X=new Date(Ge(L/e)),B=X.getFullYear(),te=X.getMonth();for(let K=0;L<=_;K++){let pe=ra(B+Q*K,te+se*K,1),G=pe-u(Me(pe*e,3));L=Me((+pe+G)*e,3),L<=_&&x.push(L)}}else{let se=S>=s?s:S,Q=At(w)-At(O),L=J+Q+ji(O-J,se);x.push(L);let X=u(L),B=X.getHours()+X.getMinutes()/n+X.getSeconds()/o,te=S/o,K=h.axes[b]._space,pe=k/K;for(;L=Me(L+S,e==1?0:3),!(L>_);)if(te>1){let G=At(Me(B+te,6))%24,he=u(L).getHours()-G;he>1&&(he=-1),L-=he*o,B=(B+te)%24;let _e=x[x.length-1];Me((L-_e)/S,3)*pe>=.7&&x.push(L)}else x.push(L)}return x}}return[c,p,f]}var[mh,hh,gh]=dd(1),[$h,bh,vh]=dd(.001);Ds(2,-53,53,[1]);function Eu(e,t){return e.map(n=>n.map((o,s)=>s==0||s==8||o==null?o:t(s==1||n[8]==0?o:n[1]+o)))}function Au(e,t){return(n,o,s,i,r)=>{let a=t.find(w=>r>=w[0])||t[t.length-1],c,p,f,u,h,b;return o.map(w=>{let _=e(w),S=_.getFullYear(),k=_.getMonth(),x=_.getDate(),T=_.getHours(),C=_.getMinutes(),H=_.getSeconds(),O=S!=c&&a[2]||k!=p&&a[3]||x!=f&&a[4]||T!=u&&a[5]||C!=h&&a[6]||H!=b&&a[7]||a[1];return c=S,p=k,f=x,u=T,h=C,b=H,O(_)})}}function wh(e,t){let n=Ta(t);return(o,s,i,r,a)=>s.map(c=>n(e(c)))}function ra(e,t,n){return new Date(e,t,n)}function zu(e,t){return t(e)}var xh="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Lu(e,t){return(n,o,s,i)=>i==null?wa:t(e(o))}function yh(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function _h(e,t){return e.series[t].fill(e,t)}var kh={show:!0,live:!0,isolate:!1,mount:Hm,markers:{show:!0,width:2,stroke:yh,fill:_h,dash:"solid"},idx:null,idxs:null,values:[]};function Sh(e,t){let n=e.cursor.points,o=Wt(),s=n.size(e,t);Pe(o,As,s),Pe(o,zs,s);let i=s/-2;Pe(o,"marginLeft",i),Pe(o,"marginTop",i);let r=n.width(e,t,s);return r&&Pe(o,"borderWidth",r),o}function Th(e,t){let n=e.series[t].points;return n._fill||n._stroke}function Mh(e,t){let n=e.series[t].points;return n._stroke||n._fill}function Ch(e,t){return e.series[t].points.size}var aa=[0,0];function Eh(e,t,n){return aa[0]=t,aa[1]=n,aa}function Pi(e,t,n,o=!0){return s=>{s.button==0&&(!o||s.target==t)&&n(s)}}function la(e,t,n,o=!0){return s=>{(!o||s.target==t)&&n(s)}}var Ah={show:!0,x:!0,y:!0,lock:!1,move:Eh,points:{one:!1,show:Sh,size:Ch,width:0,stroke:Mh,fill:Th},bind:{mousedown:Pi,mouseup:Pi,click:Pi,dblclick:Pi,mousemove:la,mouseleave:la,mouseenter:la},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,o,s)=>o-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},pd={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ca=Be({},pd,{filter:Qu}),fd=Be({},Ca,{size:10}),md=Be({},pd,{show:!1}),Ea='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',hd="bold "+Ea,gd=1.5,Pu={show:!0,scale:"x",stroke:va,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:hd,side:2,grid:Ca,ticks:fd,border:md,font:Ea,lineGap:gd,rotate:0},zh="Value",Lh="Time",Ou={show:!0,scale:"x",auto:!1,sorted:1,min:Te,max:-Te,idxs:[]};function Ph(e,t,n,o,s){return t.map(i=>i==null?"":ka(i))}function Oh(e,t,n,o,s,i,r){let a=[],c=In.get(s)||0;n=r?n:Me(ji(n,s),c);for(let p=n;p<=o;p=Me(p+s,c))a.push(Object.is(p,-0)?0:p);return a}function ma(e,t,n,o,s,i,r){let a=[],c=e.scales[e.axes[t].scale].log,p=c==10?vn:Yu,f=At(p(n));s=Uo(c,f),c==10&&(s=ro[Jt(s,ro)]);let u=n,h=s*c;c==10&&(h=ro[Jt(h,ro)]);do a.push(u),u=u+s,c==10&&!In.has(u)&&(u=Me(u,In.get(s))),u>=h&&(s=u,h=s*c,c==10&&(h=ro[Jt(h,ro)]));while(u<=o);return a}function Dh(e,t,n,o,s,i,r){let c=e.scales[e.axes[t].scale].asinh,p=o>c?ma(e,t,gt(c,n),o,s):[c],f=o>=0&&n<=0?[0]:[];return(n<-c?ma(e,t,gt(c,-o),-n,s):[c]).reverse().map(h=>-h).concat(f,p)}var $d=/./,Rh=/[12357]/,Nh=/[125]/,Du=/1/,ha=(e,t,n,o)=>e.map((s,i)=>t==4&&s==0||i%o==0&&n.test(s.toExponential()[s<0?1:0])?s:null);function Fh(e,t,n,o,s){let i=e.axes[n],r=i.scale,a=e.scales[r],c=e.valToPos,p=i._space,f=c(10,r),u=c(9,r)-f>=p?$d:c(7,r)-f>=p?Rh:c(5,r)-f>=p?Nh:Du;if(u==Du){let h=Ke(c(1,r)-f);if(h<p)return ha(t.slice().reverse(),a.distr,u,Ht(p/h)).reverse()}return ha(t,a.distr,u,1)}function Ih(e,t,n,o,s){let i=e.axes[n],r=i.scale,a=i._space,c=e.valToPos,p=Ke(c(1,r)-c(2,r));return p<a?ha(t.slice().reverse(),3,$d,Ht(a/p)).reverse():t}function jh(e,t,n,o){return o==null?wa:t==null?"":ka(t)}var Ru={show:!0,scale:"y",stroke:va,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:hd,side:3,grid:Ca,ticks:fd,border:md,font:Ea,lineGap:gd,rotate:0};function qh(e,t){let n=3+(e||1)*2;return Me(n*t,3)}function Wh(e,t){let{scale:n,idxs:o}=e.series[0],s=e._data[0],i=e.valToPos(s[o[0]],n,!0),r=e.valToPos(s[o[1]],n,!0),a=Ke(r-i),c=e.series[t],p=a/(c.points.space*ve);return o[1]-o[0]<=p}var Nu={scale:null,auto:!0,sorted:0,min:Te,max:-Te},bd=(e,t,n,o,s)=>s,Fu={show:!0,auto:!0,sorted:0,gaps:bd,alpha:1,facets:[Be({},Nu,{scale:"x"}),Be({},Nu,{scale:"y"})]},Iu={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:bd,alpha:1,points:{show:Wh,filter:null},values:null,min:Te,max:-Te,idxs:[],path:null,clip:null};function Hh(e,t,n,o,s){return n/10}var vd={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Bh=Be({},vd,{time:!1,ori:1}),ju={};function wd(e,t){let n=ju[e];return n||(n={key:e,plots:[],sub(o){n.plots.push(o)},unsub(o){n.plots=n.plots.filter(s=>s!=o)},pub(o,s,i,r,a,c,p){for(let f=0;f<n.plots.length;f++)n.plots[f]!=s&&n.plots[f].pub(o,s,i,r,a,c,p)}},e!=null&&(ju[e]=n)),n}var Yo=1,ga=2;function uo(e,t,n){let o=e.mode,s=e.series[t],i=o==2?e._data[t]:e._data,r=e.scales,a=e.bbox,c=i[0],p=o==2?i[1]:i[t],f=o==2?r[s.facets[0].scale]:r[e.series[0].scale],u=o==2?r[s.facets[1].scale]:r[s.scale],h=a.left,b=a.top,w=a.width,_=a.height,S=e.valToPosH,k=e.valToPosV;return f.ori==0?n(s,c,p,f,u,S,k,h,b,w,_,Hi,Zo,Vi,yd,kd):n(s,c,p,f,u,k,S,b,h,_,w,Bi,Qo,La,_d,Sd)}function Aa(e,t){let n=0,o=0,s=$e(e.bands,Sa);for(let i=0;i<s.length;i++){let r=s[i];r.series[0]==t?n=r.dir:r.series[1]==t&&(r.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function Vh(e,t,n,o,s){let i=e.mode,r=e.series[t],a=i==2?r.facets[1].scale:r.scale,c=e.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function wn(e,t,n,o,s,i){return uo(e,t,(r,a,c,p,f,u,h,b,w,_,S)=>{let k=r.pxRound,x=p.dir*(p.ori==0?1:-1),T=p.ori==0?Zo:Qo,C,H;x==1?(C=n,H=o):(C=o,H=n);let O=k(u(a[C],p,_,b)),Y=k(h(c[C],f,S,w)),J=k(u(a[H],p,_,b)),se=k(h(i==1?f.max:f.min,f,S,w)),Q=new Path2D(s);return T(Q,J,se),T(Q,O,se),T(Q,O,Y),Q})}function Wi(e,t,n,o,s,i){let r=null;if(e.length>0){r=new Path2D;let a=t==0?Vi:La,c=n;for(let u=0;u<e.length;u++){let h=e[u];if(h[1]>h[0]){let b=h[0]-c;b>0&&a(r,c,o,b,o+i),c=h[1]}}let p=n+s-c,f=10;p>0&&a(r,c,o-f/2,p,o+i+f)}return r}function Uh(e,t,n){let o=e[e.length-1];o&&o[0]==t?o[1]=n:e.push([t,n])}function za(e,t,n,o,s,i,r){let a=[],c=e.length;for(let p=s==1?n:o;p>=n&&p<=o;p+=s)if(t[p]===null){let u=p,h=p;if(s==1)for(;++p<=o&&t[p]===null;)h=p;else for(;--p>=n&&t[p]===null;)h=p;let b=i(e[u]),w=h==u?b:i(e[h]),_=u-s;b=r<=0&&_>=0&&_<c?i(e[_]):b;let k=h+s;w=r>=0&&k>=0&&k<c?i(e[k]):w,w>=b&&a.push([b,w])}return a}function qu(e){return e==0?Zu:e==1?Ge:t=>io(t,e)}function xd(e){let t=e==0?Hi:Bi,n=e==0?(s,i,r,a,c,p)=>{s.arcTo(i,r,a,c,p)}:(s,i,r,a,c,p)=>{s.arcTo(r,i,c,a,p)},o=e==0?(s,i,r,a,c)=>{s.rect(i,r,a,c)}:(s,i,r,a,c)=>{s.rect(r,i,c,a)};return(s,i,r,a,c,p=0,f=0)=>{p==0&&f==0?o(s,i,r,a,c):(p=Zt(p,a/2,c/2),f=Zt(f,a/2,c/2),t(s,i+p,r),n(s,i+a,r,i+a,r+c,p),n(s,i+a,r+c,i,r+c,f),n(s,i,r+c,i,r,f),n(s,i,r,i+a,r,p),s.closePath())}}var Hi=(e,t,n)=>{e.moveTo(t,n)},Bi=(e,t,n)=>{e.moveTo(n,t)},Zo=(e,t,n)=>{e.lineTo(t,n)},Qo=(e,t,n)=>{e.lineTo(n,t)},Vi=xd(0),La=xd(1),yd=(e,t,n,o,s,i)=>{e.arc(t,n,o,s,i)},_d=(e,t,n,o,s,i)=>{e.arc(n,t,o,s,i)},kd=(e,t,n,o,s,i,r)=>{e.bezierCurveTo(t,n,o,s,i,r)},Sd=(e,t,n,o,s,i,r)=>{e.bezierCurveTo(n,t,s,o,r,i)};function Td(e){return(t,n,o,s,i)=>uo(t,n,(r,a,c,p,f,u,h,b,w,_,S)=>{let{pxRound:k,points:x}=r,T,C;p.ori==0?(T=Hi,C=yd):(T=Bi,C=_d);let H=Me(x.width*ve,3),O=(x.size-x.width)/2*ve,Y=Me(O*2,3),J=new Path2D,se=new Path2D,{left:Q,top:L,width:X,height:B}=t.bbox;Vi(se,Q-Y,L-Y,X+Y*2,B+Y*2);let te=K=>{if(c[K]!=null){let pe=k(u(a[K],p,_,b)),G=k(h(c[K],f,S,w));T(J,pe+O,G),C(J,pe,G,O,0,Oi*2)}};if(i)i.forEach(te);else for(let K=o;K<=s;K++)te(K);return{stroke:H>0?J:null,fill:J,clip:se,flags:Yo|ga}})}function Md(e){return(t,n,o,s,i,r)=>{o!=s&&(i!=o&&r!=o&&e(t,n,o),i!=s&&r!=s&&e(t,n,s),e(t,n,r))}}var Gh=Md(Zo),Kh=Md(Qo);function Cd(e){let t=$e(e?.alignGaps,0);return(n,o,s,i)=>uo(n,o,(r,a,c,p,f,u,h,b,w,_,S)=>{[s,i]=Fi(c,s,i);let k=r.pxRound,x=B=>k(u(B,p,_,b)),T=B=>k(h(B,f,S,w)),C,H;p.ori==0?(C=Zo,H=Gh):(C=Qo,H=Kh);let O=p.dir*(p.ori==0?1:-1),Y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Yo},J=Y.stroke,se=!1;if(i-s>=_*4){let B=V=>n.posToVal(V,p.key,!0),te=null,K=null,pe,G,$t,Oe=x(a[O==1?s:i]),he=x(a[s]),_e=x(a[i]),ae=B(O==1?he+1:_e-1);for(let V=O==1?s:i;V>=s&&V<=i;V+=O){let Ve=a[V],De=(O==1?Ve<ae:Ve>ae)?Oe:x(Ve),we=c[V];De==Oe?we!=null?(G=we,te==null?(C(J,De,T(G)),pe=te=K=G):G<te?te=G:G>K&&(K=G)):we===null&&(se=!0):(te!=null&&H(J,Oe,T(te),T(K),T(pe),T(G)),we!=null?(G=we,C(J,De,T(G)),te=K=pe=G):(te=K=null,we===null&&(se=!0)),Oe=De,ae=B(Oe+O))}te!=null&&te!=K&&$t!=Oe&&H(J,Oe,T(te),T(K),T(pe),T(G))}else for(let B=O==1?s:i;B>=s&&B<=i;B+=O){let te=c[B];te===null?se=!0:te!=null&&C(J,x(a[B]),T(te))}let[L,X]=Aa(n,o);if(r.fill!=null||L!=0){let B=Y.fill=new Path2D(J),te=r.fillTo(n,o,r.min,r.max,L),K=T(te),pe=x(a[s]),G=x(a[i]);O==-1&&([G,pe]=[pe,G]),C(B,G,K),C(B,pe,K)}if(!r.spanGaps){let B=[];se&&B.push(...za(a,c,s,i,O,x,t)),Y.gaps=B=r.gaps(n,o,s,i,B),Y.clip=Wi(B,p.ori,b,w,_,S)}return X!=0&&(Y.band=X==2?[wn(n,o,s,i,J,-1),wn(n,o,s,i,J,1)]:wn(n,o,s,i,J,X)),Y})}function Yh(e){let t=$e(e.align,1),n=$e(e.ascDesc,!1),o=$e(e.alignGaps,0),s=$e(e.extend,!1);return(i,r,a,c)=>uo(i,r,(p,f,u,h,b,w,_,S,k,x,T)=>{[a,c]=Fi(u,a,c);let C=p.pxRound,{left:H,width:O}=i.bbox,Y=he=>C(w(he,h,x,S)),J=he=>C(_(he,b,T,k)),se=h.ori==0?Zo:Qo,Q={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Yo},L=Q.stroke,X=h.dir*(h.ori==0?1:-1),B=J(u[X==1?a:c]),te=Y(f[X==1?a:c]),K=te,pe=te;s&&t==-1&&(pe=H,se(L,pe,B)),se(L,te,B);for(let he=X==1?a:c;he>=a&&he<=c;he+=X){let _e=u[he];if(_e==null)continue;let ae=Y(f[he]),V=J(_e);t==1?se(L,ae,B):se(L,K,V),se(L,ae,V),B=V,K=ae}let G=K;s&&t==1&&(G=H+O,se(L,G,B));let[$t,Oe]=Aa(i,r);if(p.fill!=null||$t!=0){let he=Q.fill=new Path2D(L),_e=p.fillTo(i,r,p.min,p.max,$t),ae=J(_e);se(he,G,ae),se(he,pe,ae)}if(!p.spanGaps){let he=[];he.push(...za(f,u,a,c,X,Y,o));let _e=p.width*ve/2,ae=n||t==1?_e:-_e,V=n||t==-1?-_e:_e;he.forEach(Ve=>{Ve[0]+=ae,Ve[1]+=V}),Q.gaps=he=p.gaps(i,r,a,c,he),Q.clip=Wi(he,h.ori,S,k,x,T)}return Oe!=0&&(Q.band=Oe==2?[wn(i,r,a,c,L,-1),wn(i,r,a,c,L,1)]:wn(i,r,a,c,L,Oe)),Q})}function Wu(e,t,n,o,s,i,r=Te){if(e.length>1){let a=null;for(let c=0,p=1/0;c<e.length;c++)if(t[c]!==void 0){if(a!=null){let f=Ke(e[c]-e[a]);f<p&&(p=f,r=Ke(n(e[c],o,s,i)-n(e[a],o,s,i)))}a=c}}return r}function Jh(e){e=e||Os;let t=$e(e.size,[.6,Te,1]),n=e.align||0,o=e.gap||0,s=e.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let i=de(s),r=1-t[0],a=$e(t[1],Te),c=$e(t[2],1),p=$e(e.disp,Os),f=$e(e.each,b=>{}),{fill:u,stroke:h}=p;return(b,w,_,S)=>uo(b,w,(k,x,T,C,H,O,Y,J,se,Q,L)=>{let X=k.pxRound,B=n,te=o*ve,K=a*ve,pe=c*ve,G,$t;C.ori==0?[G,$t]=i(b,w):[$t,G]=i(b,w);let Oe=C.dir*(C.ori==0?1:-1),he=C.ori==0?Vi:La,_e=C.ori==0?f:(q,Ce,Ue,bo,Hn,en,Bn)=>{f(q,Ce,Ue,Hn,bo,Bn,en)},ae=$e(b.bands,Sa).find(q=>q.series[0]==w),V=ae!=null?ae.dir:0,Ve=k.fillTo(b,w,k.min,k.max,V),at=X(Y(Ve,H,L,se)),De,we,Bt,yt=Q,Ne=X(k.width*ve),Xt=!1,mn=null,Lt=null,_n=null,ho=null;u!=null&&(Ne==0||h!=null)&&(Xt=!0,mn=u.values(b,w,_,S),Lt=new Map,new Set(mn).forEach(q=>{q!=null&&Lt.set(q,new Path2D)}),Ne>0&&(_n=h.values(b,w,_,S),ho=new Map,new Set(_n).forEach(q=>{q!=null&&ho.set(q,new Path2D)})));let{x0:go,size:ns}=p;if(go!=null&&ns!=null){B=1,x=go.values(b,w,_,S),go.unit==2&&(x=x.map(Ue=>b.posToVal(J+Ue*Q,C.key,!0)));let q=ns.values(b,w,_,S);ns.unit==2?we=q[0]*Q:we=O(q[0],C,Q,J)-O(0,C,Q,J),yt=Wu(x,T,O,C,Q,J,yt),Bt=yt-we+te}else yt=Wu(x,T,O,C,Q,J,yt),Bt=yt*r+te,we=yt-Bt;Bt<1&&(Bt=0),Ne>=we/2&&(Ne=0),Bt<5&&(X=Zu);let Vs=Bt>0,qn=yt-Bt-(Vs?Ne:0);we=X(fa(qn,pe,K)),De=(B==0?we/2:B==Oe?0:we)-B*Oe*((B==0?te/2:0)+(Vs?Ne/2:0));let lt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},$o=Xt?null:new Path2D,hn=null;if(ae!=null)hn=b.data[ae.series[1]];else{let{y0:q,y1:Ce}=p;q!=null&&Ce!=null&&(T=Ce.values(b,w,_,S),hn=q.values(b,w,_,S))}let Wn=G*we,re=$t*we;for(let q=Oe==1?_:S;q>=_&&q<=S;q+=Oe){let Ce=T[q];if(Ce==null)continue;if(hn!=null){let bt=hn[q]??0;if(Ce-bt==0)continue;at=Y(bt,H,L,se)}let Ue=C.distr!=2||p!=null?x[q]:q,bo=O(Ue,C,Q,J),Hn=Y($e(Ce,Ve),H,L,se),en=X(bo-De),Bn=X(gt(Hn,at)),_t=X(Zt(Hn,at)),Pt=Bn-_t;if(Ce!=null){let bt=Ce<0?re:Wn,Vt=Ce<0?Wn:re;Xt?(Ne>0&&_n[q]!=null&&he(ho.get(_n[q]),en,_t+At(Ne/2),we,gt(0,Pt-Ne),bt,Vt),mn[q]!=null&&he(Lt.get(mn[q]),en,_t+At(Ne/2),we,gt(0,Pt-Ne),bt,Vt)):he($o,en,_t+At(Ne/2),we,gt(0,Pt-Ne),bt,Vt),_e(b,w,q,en-Ne/2,_t,we+Ne,Pt)}}return Ne>0?lt.stroke=Xt?ho:$o:Xt||(lt._fill=k.width==0?k._fill:k._stroke??k._fill,lt.width=0),lt.fill=Xt?Lt:$o,lt})}function Zh(e,t){let n=$e(t?.alignGaps,0);return(o,s,i,r)=>uo(o,s,(a,c,p,f,u,h,b,w,_,S,k)=>{[i,r]=Fi(p,i,r);let x=a.pxRound,T=G=>x(h(G,f,S,w)),C=G=>x(b(G,u,k,_)),H,O,Y;f.ori==0?(H=Hi,Y=Zo,O=kd):(H=Bi,Y=Qo,O=Sd);let J=f.dir*(f.ori==0?1:-1),se=T(c[J==1?i:r]),Q=se,L=[],X=[];for(let G=J==1?i:r;G>=i&&G<=r;G+=J)if(p[G]!=null){let Oe=c[G],he=T(Oe);L.push(Q=he),X.push(C(p[G]))}let B={stroke:e(L,X,H,Y,O,x),fill:null,clip:null,band:null,gaps:null,flags:Yo},te=B.stroke,[K,pe]=Aa(o,s);if(a.fill!=null||K!=0){let G=B.fill=new Path2D(te),$t=a.fillTo(o,s,a.min,a.max,K),Oe=C($t);Y(G,Q,Oe),Y(G,se,Oe)}if(!a.spanGaps){let G=[];G.push(...za(c,p,i,r,J,T,n)),B.gaps=G=a.gaps(o,s,i,r,G),B.clip=Wi(G,f.ori,w,_,S,k)}return pe!=0&&(B.band=pe==2?[wn(o,s,i,r,te,-1),wn(o,s,i,r,te,1)]:wn(o,s,i,r,te,pe)),B})}function Qh(e){return Zh(Xh,e)}function Xh(e,t,n,o,s,i){let r=e.length;if(r<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),r==2)o(a,e[1],t[1]);else{let c=Array(r),p=Array(r-1),f=Array(r-1),u=Array(r-1);for(let h=0;h<r-1;h++)f[h]=t[h+1]-t[h],u[h]=e[h+1]-e[h],p[h]=f[h]/u[h];c[0]=p[0];for(let h=1;h<r-1;h++)p[h]===0||p[h-1]===0||p[h-1]>0!=p[h]>0?c[h]=0:(c[h]=3*(u[h-1]+u[h])/((2*u[h]+u[h-1])/p[h-1]+(u[h]+2*u[h-1])/p[h]),isFinite(c[h])||(c[h]=0));c[r-1]=p[r-2];for(let h=0;h<r-1;h++)s(a,e[h]+u[h]/3,t[h]+c[h]*u[h]/3,e[h+1]-u[h]/3,t[h+1]-c[h+1]*u[h]/3,e[h+1],t[h+1])}return a}var $a=new Set;function Hu(){for(let e of $a)e.syncRect(!0)}Jo&&(lo(Pm,Vo,Hu),lo(Om,Vo,Hu,!0),lo(Di,Vo,()=>{it.pxRatio=ve}));var eg=Cd(),tg=Td();function Bu(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((i,r)=>ba(i,r,t,n))}function ng(e,t){return e.map((n,o)=>o==0?{}:Be({},t,n))}function ba(e,t,n,o){return Be({},t==0?n:o,e)}function Ed(e,t,n){return t==null?Go:[t,n]}var og=Ed;function sg(e,t,n){return t==null?Go:Ri(t,n,_a,!0)}function Ad(e,t,n,o){return t==null?Go:Ii(t,n,e.scales[o].log,!1)}var ig=Ad;function zd(e,t,n,o){return t==null?Go:ya(t,n,e.scales[o].log,!1)}var rg=zd;function ag(e,t,n,o,s){let i=gt(yu(e),yu(t)),r=t-e,a=Jt(s/o*r,n);do{let c=n[a],p=o*c/r;if(p>=s&&i+(c<5?In.get(c):0)<=17)return[c,p]}while(++a<n.length);return[0,0]}function Vu(e){let t,n;return e=e.replace(/(\d+)px/,(o,s)=>(t=Ge((n=+s)*ve))+"px"),[e,t,n]}function lg(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=Me(t[2]*ve,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function it(e,t,n){let o={mode:$e(e.mode,1)},s=o.mode;function i(d,m,g,$){let v=m.valToPct(d);return $+g*(m.dir==-1?1-v:v)}function r(d,m,g,$){let v=m.valToPct(d);return $+g*(m.dir==-1?v:1-v)}function a(d,m,g,$){return m.ori==0?i(d,m,g,$):r(d,m,g,$)}o.valToPosH=i,o.valToPosV=r;let c=!1;o.status=0;let p=o.root=Wt(hm);if(e.id!=null&&(p.id=e.id),Et(p,e.class),e.title){let d=Wt(bm,p);d.textContent=e.title}let f=Yt("canvas"),u=o.ctx=f.getContext("2d"),h=Wt(vm,p);lo("click",h,d=>{d.target===w&&(Ae!=Eo||Re!=Ao)&&st.click(o,d)},!0);let b=o.under=Wt(wm,h);h.appendChild(f);let w=o.over=Wt(xm,h);e=Ko(e);let _=+$e(e.pxAlign,1),S=qu(_);(e.plugins||[]).forEach(d=>{d.opts&&(e=d.opts(o,e)||e)});let k=e.ms||.001,x=o.series=s==1?Bu(e.series||[],Ou,Iu,!1):ng(e.series||[null],Fu),T=o.axes=Bu(e.axes||[],Pu,Ru,!0),C=o.scales={},H=o.bands=e.bands||[];H.forEach(d=>{d.fill=de(d.fill||null),d.dir=$e(d.dir,-1)});let O=s==2?x[1].facets[0].scale:x[0].scale,Y={axes:gf,series:df},J=(e.drawOrder||["axes","series"]).map(d=>Y[d]);function se(d){let m=d.distr==3?g=>vn(g>0?g:d.clamp(o,g,d.min,d.max,d.key)):d.distr==4?g=>ia(g,d.asinh):d.distr==100?g=>d.fwd(g):g=>g;return g=>{let $=m(g),{_min:v,_max:y}=d,M=y-v;return($-v)/M}}function Q(d){let m=C[d];if(m==null){let g=(e.scales||Os)[d]||Os;if(g.from!=null){Q(g.from);let $=Be({},C[g.from],g,{key:d});$.valToPct=se($),C[d]=$}else{m=C[d]=Be({},d==O?vd:Bh,g),m.key=d;let $=m.time,v=m.range,y=Fn(v);if((d!=O||s==2&&!$)&&(y&&(v[0]==null||v[1]==null)&&(v={min:v[0]==null?vu:{mode:1,hard:v[0],soft:v[0]},max:v[1]==null?vu:{mode:1,hard:v[1],soft:v[1]}},y=!1),!y&&qi(v))){let M=v;v=(A,P,N)=>P==null?Go:Ri(P,N,M)}m.range=de(v||($?og:d==O?m.distr==3?ig:m.distr==4?rg:Ed:m.distr==3?Ad:m.distr==4?zd:sg)),m.auto=de(y?!1:m.auto),m.clamp=de(m.clamp||Hh),m._min=m._max=null,m.valToPct=se(m)}}}Q("x"),Q("y"),s==1&&x.forEach(d=>{Q(d.scale)}),T.forEach(d=>{Q(d.scale)});for(let d in e.scales)Q(d);let L=C[O],X=L.distr,B,te;L.ori==0?(Et(p,gm),B=i,te=r):(Et(p,$m),B=r,te=i);let K={};for(let d in C){let m=C[d];(m.min!=null||m.max!=null)&&(K[d]={min:m.min,max:m.max},m.min=m.max=null)}let pe=e.tzDate||(d=>new Date(Ge(d/k))),G=e.fmtDate||Ta,$t=k==1?gh(pe):vh(pe),Oe=Au(pe,Eu(k==1?hh:bh,G)),he=Lu(pe,zu(xh,G)),_e=[],ae=o.legend=Be({},kh,e.legend),V=o.cursor=Be({},Ah,{drag:{y:s==2}},e.cursor),Ve=ae.show,at=V.show,De=ae.markers;ae.idxs=_e,De.width=de(De.width),De.dash=de(De.dash),De.stroke=de(De.stroke),De.fill=de(De.fill);let we,Bt,yt,Ne=[],Xt=[],mn,Lt=!1,_n={};if(ae.live){let d=x[1]?x[1].values:null;Lt=d!=null,mn=Lt?d(o,1,0):{_:0};for(let m in mn)_n[m]=wa}if(Ve)if(we=Yt("table",Mm,p),yt=Yt("tbody",null,we),ae.mount(o,we),Lt){Bt=Yt("thead",null,we,yt);let d=Yt("tr",null,Bt);Yt("th",null,d);for(var ho in mn)Yt("th",ru,d).textContent=ho}else Et(we,Em),ae.live&&Et(we,Cm);let go={show:!0},ns={show:!1};function Vs(d,m){if(m==0&&(Lt||!ae.live||s==2))return Go;let g=[],$=Yt("tr",Am,yt,yt.childNodes[m]);Et($,d.class),d.show||Et($,ao);let v=Yt("th",null,$);if(De.show){let A=Wt(zm,v);if(m>0){let P=De.width(o,m);P&&(A.style.border=P+"px "+De.dash(o,m)+" "+De.stroke(o,m)),A.style.background=De.fill(o,m)}}let y=Wt(ru,v);d.label instanceof HTMLElement?y.appendChild(d.label):y.textContent=d.label,m>0&&(De.show||(y.style.color=d.width>0?De.stroke(o,m):De.fill(o,m)),lt("click",v,A=>{if(V._lock)return;Un(A);let P=x.indexOf(d);if((A.ctrlKey||A.metaKey)!=ae.isolate){let N=x.some((I,W)=>W>0&&W!=P&&I.show);x.forEach((I,W)=>{W>0&&nn(W,N?W==P?go:ns:go,!0,He.setSeries)})}else nn(P,{show:!d.show},!0,He.setSeries)},!1),wo&&lt(uu,v,A=>{V._lock||(Un(A),nn(x.indexOf(d),Lo,!0,He.setSeries))},!1));for(var M in mn){let A=Yt("td",Lm,$);A.textContent="--",g.push(A)}return[$,g]}let qn=new Map;function lt(d,m,g,$=!0){let v=qn.get(m)||{},y=V.bind[d](o,m,g,$);y&&(lo(d,m,v[d]=y),qn.set(m,v))}function $o(d,m,g){let $=qn.get(m)||{};for(let v in $)(d==null||v==d)&&(pa(v,m,$[v]),delete $[v]);d==null&&qn.delete(m)}let hn=0,Wn=0,re=0,q=0,Ce=0,Ue=0,bo=Ce,Hn=Ue,en=re,Bn=q,_t=0,Pt=0,bt=0,Vt=0;o.bbox={};let rr=!1,Us=!1,vo=!1,Vn=!1,Gs=!1,Ot=!1;function ar(d,m,g){(g||d!=o.width||m!=o.height)&&ll(d,m),So(!1),vo=!0,Us=!0,To()}function ll(d,m){o.width=hn=re=d,o.height=Wn=q=m,Ce=Ue=0,of(),sf();let g=o.bbox;_t=g.left=io(Ce*ve,.5),Pt=g.top=io(Ue*ve,.5),bt=g.width=io(re*ve,.5),Vt=g.height=io(q*ve,.5)}let ef=3;function tf(){let d=!1,m=0;for(;!d;){m++;let g=mf(m),$=hf(m);d=m==ef||g&&$,d||(ll(o.width,o.height),Us=!0)}}function nf({width:d,height:m}){ar(d,m)}o.setSize=nf;function of(){let d=!1,m=!1,g=!1,$=!1;T.forEach((v,y)=>{if(v.show&&v._show){let{side:M,_size:A}=v,P=M%2,N=v.label!=null?v.labelSize:0,I=A+N;I>0&&(P?(re-=I,M==3?(Ce+=I,$=!0):g=!0):(q-=I,M==0?(Ue+=I,d=!0):m=!0))}}),Gn[0]=d,Gn[1]=g,Gn[2]=m,Gn[3]=$,re-=kn[1]+kn[3],Ce+=kn[3],q-=kn[2]+kn[0],Ue+=kn[0]}function sf(){let d=Ce+re,m=Ue+q,g=Ce,$=Ue;function v(y,M){switch(y){case 1:return d+=M,d-M;case 2:return m+=M,m-M;case 3:return g-=M,g+M;case 0:return $-=M,$+M}}T.forEach((y,M)=>{if(y.show&&y._show){let A=y.side;y._pos=v(A,y._size),y.label!=null&&(y._lpos=v(A,y.labelSize))}})}if(V.dataIdx==null){let d=V.hover,m=d.skip=new Set(d.skip??[]);m.add(void 0);let g=d.prox=de(d.prox),$=d.bias??=0;V.dataIdx=(v,y,M,A)=>{if(y==0)return M;let P=M,N=g(v,y,M,A)??Te,I=N>=0&&N<Te,W=L.ori==0?re:q,ne=V.left,be=t[0],ge=t[y];if(m.has(ge[M])){P=null;let ce=null,Z=null,U;if($==0||$==-1)for(U=M;ce==null&&U-- >0;)m.has(ge[U])||(ce=U);if($==0||$==1)for(U=M;Z==null&&U++<ge.length;)m.has(ge[U])||(Z=U);if(ce!=null||Z!=null)if(I){let Le=ce==null?-1/0:B(be[ce],L,W,0),Ie=Z==null?1/0:B(be[Z],L,W,0),et=ne-Le,ke=Ie-ne;et<=ke?et<=N&&(P=ce):ke<=N&&(P=Z)}else P=Z==null?ce:ce==null?Z:M-ce<=Z-M?ce:Z}else I&&Ke(ne-B(be[M],L,W,0))>N&&(P=null);return P}}let Un=d=>{V.event=d};V.idxs=_e,V._lock=!1;let rt=V.points;rt.show=de(rt.show),rt.size=de(rt.size),rt.stroke=de(rt.stroke),rt.width=de(rt.width),rt.fill=de(rt.fill);let tn=o.focus=Be({},e.focus||{alpha:.3},V.focus),wo=tn.prox>=0,xo=wo&&rt.one,Dt=[],yo=[],_o=[];function cl(d,m){let g=rt.show(o,m);if(g instanceof HTMLElement)return Et(g,Tm),Et(g,d.class),dn(g,-10,-10,re,q),w.insertBefore(g,Dt[m]),g}function ul(d,m){if(s==1||m>0){let g=s==1&&C[d.scale].time,$=d.value;d.value=g?Su($)?Lu(pe,zu($,G)):$||he:$||jh,d.label=d.label||(g?Lh:zh)}if(xo||m>0){d.width=d.width==null?1:d.width,d.paths=d.paths||eg||Bm,d.fillTo=de(d.fillTo||Vh),d.pxAlign=+$e(d.pxAlign,_),d.pxRound=qu(d.pxAlign),d.stroke=de(d.stroke||null),d.fill=de(d.fill||null),d._stroke=d._fill=d._paths=d._focus=null;let g=qh(gt(1,d.width),1),$=d.points=Be({},{size:g,width:gt(1,g*.2),stroke:d.stroke,space:g*2,paths:tg,_stroke:null,_fill:null},d.points);$.show=de($.show),$.filter=de($.filter),$.fill=de($.fill),$.stroke=de($.stroke),$.paths=de($.paths),$.pxAlign=d.pxAlign}if(Ve){let g=Vs(d,m);Ne.splice(m,0,g[0]),Xt.splice(m,0,g[1]),ae.values.push(null)}if(at){_e.splice(m,0,null);let g=null;xo?m==0&&(g=cl(d,m)):m>0&&(g=cl(d,m)),Dt.splice(m,0,g),yo.splice(m,0,0),_o.splice(m,0,0)}Xe("addSeries",m)}function rf(d,m){m=m??x.length,d=s==1?ba(d,m,Ou,Iu):ba(d,m,{},Fu),x.splice(m,0,d),ul(x[m],m)}o.addSeries=rf;function af(d){if(x.splice(d,1),Ve){ae.values.splice(d,1),Xt.splice(d,1);let m=Ne.splice(d,1)[0];$o(null,m.firstChild),m.remove()}at&&(_e.splice(d,1),Dt.splice(d,1)[0].remove(),yo.splice(d,1),_o.splice(d,1)),Xe("delSeries",d)}o.delSeries=af;let Gn=[!1,!1,!1,!1];function lf(d,m){if(d._show=d.show,d.show){let g=d.side%2,$=C[d.scale];$==null&&(d.scale=g?x[1].scale:O,$=C[d.scale]);let v=$.time;d.size=de(d.size),d.space=de(d.space),d.rotate=de(d.rotate),Fn(d.incrs)&&d.incrs.forEach(M=>{!In.has(M)&&In.set(M,ed(M))}),d.incrs=de(d.incrs||($.distr==2?ph:v?k==1?mh:$h:ro)),d.splits=de(d.splits||(v&&$.distr==1?$t:$.distr==3?ma:$.distr==4?Dh:Oh)),d.stroke=de(d.stroke),d.grid.stroke=de(d.grid.stroke),d.ticks.stroke=de(d.ticks.stroke),d.border.stroke=de(d.border.stroke);let y=d.values;d.values=Fn(y)&&!Fn(y[0])?de(y):v?Fn(y)?Au(pe,Eu(y,G)):Su(y)?wh(pe,y):y||Oe:y||Ph,d.filter=de(d.filter||($.distr>=3&&$.log==10?Fh:$.distr==3&&$.log==2?Ih:Qu)),d.font=Vu(d.font),d.labelFont=Vu(d.labelFont),d._size=d.size(o,null,m,0),d._space=d._rotate=d._incrs=d._found=d._splits=d._values=null,d._size>0&&(Gn[m]=!0,d._el=Wt(ym,h))}}function os(d,m,g,$){let[v,y,M,A]=g,P=m%2,N=0;return P==0&&(A||y)&&(N=m==0&&!v||m==2&&!M?Ge(Pu.size/3):0),P==1&&(v||M)&&(N=m==1&&!y||m==3&&!A?Ge(Ru.size/2):0),N}let dl=o.padding=(e.padding||[os,os,os,os]).map(d=>de($e(d,os))),kn=o._padding=dl.map((d,m)=>d(o,m,Gn,0)),ot,Ye=null,Je=null,Ks=s==1?x[0].idxs:null,Ut=null,ss=!1;function pl(d,m){if(t=d??[],o.data=o._data=t,s==2){ot=0;for(let g=1;g<x.length;g++)ot+=t[g][0].length}else{t.length==0&&(o.data=o._data=t=[[]]),Ut=t[0],ot=Ut.length;let g=t;if(X==2){g=t.slice();let $=g[0]=Array(ot);for(let v=0;v<ot;v++)$[v]=v}o._data=t=g}if(So(!0),Xe("setData"),X==2&&(vo=!0),m!==!1){let g=L;g.auto(o,ss)?lr():Tn(O,g.min,g.max),Vn=Vn||V.left>=0,Ot=!0,To()}}o.setData=pl;function lr(){ss=!0;let d,m;s==1&&(ot>0?(Ye=Ks[0]=0,Je=Ks[1]=ot-1,d=t[0][Ye],m=t[0][Je],X==2?(d=Ye,m=Je):d==m&&(X==3?[d,m]=Ii(d,d,L.log,!1):X==4?[d,m]=ya(d,d,L.log,!1):L.time?m=d+Ge(86400/k):[d,m]=Ri(d,m,_a,!0))):(Ye=Ks[0]=d=null,Je=Ks[1]=m=null)),Tn(O,d,m)}let Ys,ko,cr,ur,dr,pr,fr,mr,hr,vt;function fl(d,m,g,$,v,y){d??=lu,g??=Sa,$??="butt",v??=lu,y??="round",d!=Ys&&(u.strokeStyle=Ys=d),v!=ko&&(u.fillStyle=ko=v),m!=cr&&(u.lineWidth=cr=m),y!=dr&&(u.lineJoin=dr=y),$!=pr&&(u.lineCap=pr=$),g!=ur&&u.setLineDash(ur=g)}function ml(d,m,g,$){m!=ko&&(u.fillStyle=ko=m),d!=fr&&(u.font=fr=d),g!=mr&&(u.textAlign=mr=g),$!=hr&&(u.textBaseline=hr=$)}function gr(d,m,g,$,v=0){if($.length>0&&d.auto(o,ss)&&(m==null||m.min==null)){let y=$e(Ye,0),M=$e(Je,$.length-1),A=g.min==null?Fm($,y,M,v,d.distr==3):[g.min,g.max];d.min=Zt(d.min,g.min=A[0]),d.max=gt(d.max,g.max=A[1])}}let hl={min:null,max:null};function cf(){for(let $ in C){let v=C[$];K[$]==null&&(v.min==null||K[O]!=null&&v.auto(o,ss))&&(K[$]=hl)}for(let $ in C){let v=C[$];K[$]==null&&v.from!=null&&K[v.from]!=null&&(K[$]=hl)}K[O]!=null&&So(!0);let d={};for(let $ in K){let v=K[$];if(v!=null){let y=d[$]=Ko(C[$],Gm);if(v.min!=null)Be(y,v);else if($!=O||s==2)if(ot==0&&y.from==null){let M=y.range(o,null,null,$);y.min=M[0],y.max=M[1]}else y.min=Te,y.max=-Te}}if(ot>0){x.forEach(($,v)=>{if(s==1){let y=$.scale,M=K[y];if(M==null)return;let A=d[y];if(v==0){let P=A.range(o,A.min,A.max,y);A.min=P[0],A.max=P[1],Ye=Jt(A.min,t[0]),Je=Jt(A.max,t[0]),Je-Ye>1&&(t[0][Ye]<A.min&&Ye++,t[0][Je]>A.max&&Je--),$.min=Ut[Ye],$.max=Ut[Je]}else $.show&&$.auto&&gr(A,M,$,t[v],$.sorted);$.idxs[0]=Ye,$.idxs[1]=Je}else if(v>0&&$.show&&$.auto){let[y,M]=$.facets,A=y.scale,P=M.scale,[N,I]=t[v],W=d[A],ne=d[P];W!=null&&gr(W,K[A],y,N,y.sorted),ne!=null&&gr(ne,K[P],M,I,M.sorted),$.min=M.min,$.max=M.max}});for(let $ in d){let v=d[$],y=K[$];if(v.from==null&&(y==null||y.min==null)){let M=v.range(o,v.min==Te?null:v.min,v.max==-Te?null:v.max,$);v.min=M[0],v.max=M[1]}}}for(let $ in d){let v=d[$];if(v.from!=null){let y=d[v.from];if(y.min==null)v.min=v.max=null;else{let M=v.range(o,y.min,y.max,$);v.min=M[0],v.max=M[1]}}}let m={},g=!1;for(let $ in d){let v=d[$],y=C[$];if(y.min!=v.min||y.max!=v.max){y.min=v.min,y.max=v.max;let M=y.distr;y._min=M==3?vn(y.min):M==4?ia(y.min,y.asinh):M==100?y.fwd(y.min):y.min,y._max=M==3?vn(y.max):M==4?ia(y.max,y.asinh):M==100?y.fwd(y.max):y.max,m[$]=g=!0}}if(g){x.forEach(($,v)=>{s==2?v>0&&m.y&&($._paths=null):m[$.scale]&&($._paths=null)});for(let $ in m)vo=!0,Xe("setScale",$);at&&V.left>=0&&(Vn=Ot=!0)}for(let $ in K)K[$]=null}function uf(d){let m=fa(Ye-1,0,ot-1),g=fa(Je+1,0,ot-1);for(;d[m]==null&&m>0;)m--;for(;d[g]==null&&g<ot-1;)g++;return[m,g]}function df(){if(ot>0){let d=x.some(m=>m._focus)&&vt!=tn.alpha;d&&(u.globalAlpha=vt=tn.alpha),x.forEach((m,g)=>{if(g>0&&m.show&&(gl(g,!1),gl(g,!0),m._paths==null)){let $=vt;vt!=m.alpha&&(u.globalAlpha=vt=m.alpha);let v=s==2?[0,t[g][0].length-1]:uf(t[g]);m._paths=m.paths(o,g,v[0],v[1]),vt!=$&&(u.globalAlpha=vt=$)}}),x.forEach((m,g)=>{if(g>0&&m.show){let $=vt;vt!=m.alpha&&(u.globalAlpha=vt=m.alpha),m._paths!=null&&$l(g,!1);{let v=m._paths!=null?m._paths.gaps:null,y=m.points.show(o,g,Ye,Je,v),M=m.points.filter(o,g,y,v);(y||M)&&(m.points._paths=m.points.paths(o,g,Ye,Je,M),$l(g,!0))}vt!=$&&(u.globalAlpha=vt=$),Xe("drawSeries",g)}}),d&&(u.globalAlpha=vt=1)}}function gl(d,m){let g=m?x[d].points:x[d];g._stroke=g.stroke(o,d),g._fill=g.fill(o,d)}function $l(d,m){let g=m?x[d].points:x[d],{stroke:$,fill:v,clip:y,flags:M,_stroke:A=g._stroke,_fill:P=g._fill,_width:N=g.width}=g._paths;N=Me(N*ve,3);let I=null,W=N%2/2;m&&P==null&&(P=N>0?"#fff":A);let ne=g.pxAlign==1&&W>0;if(ne&&u.translate(W,W),!m){let be=_t-N/2,ge=Pt-N/2,ce=bt+N,Z=Vt+N;I=new Path2D,I.rect(be,ge,ce,Z)}m?$r(A,N,g.dash,g.cap,P,$,v,M,y):pf(d,A,N,g.dash,g.cap,P,$,v,M,I,y),ne&&u.translate(-W,-W)}function pf(d,m,g,$,v,y,M,A,P,N,I){let W=!1;P!=0&&H.forEach((ne,be)=>{if(ne.series[0]==d){let ge=x[ne.series[1]],ce=t[ne.series[1]],Z=(ge._paths||Os).band;Fn(Z)&&(Z=ne.dir==1?Z[0]:Z[1]);let U,Le=null;ge.show&&Z&&jm(ce,Ye,Je)?(Le=ne.fill(o,be)||y,U=ge._paths.clip):Z=null,$r(m,g,$,v,Le,M,A,P,N,I,U,Z),W=!0}}),W||$r(m,g,$,v,y,M,A,P,N,I)}let bl=Yo|ga;function $r(d,m,g,$,v,y,M,A,P,N,I,W){fl(d,m,g,$,v),(P||N||W)&&(u.save(),P&&u.clip(P),N&&u.clip(N)),W?(A&bl)==bl?(u.clip(W),I&&u.clip(I),Zs(v,M),Js(d,y,m)):A&ga?(Zs(v,M),u.clip(W),Js(d,y,m)):A&Yo&&(u.save(),u.clip(W),I&&u.clip(I),Zs(v,M),u.restore(),Js(d,y,m)):(Zs(v,M),Js(d,y,m)),(P||N||W)&&u.restore()}function Js(d,m,g){g>0&&(m instanceof Map?m.forEach(($,v)=>{u.strokeStyle=Ys=v,u.stroke($)}):m!=null&&d&&u.stroke(m))}function Zs(d,m){m instanceof Map?m.forEach((g,$)=>{u.fillStyle=ko=$,u.fill(g)}):m!=null&&d&&u.fill(m)}function ff(d,m,g,$){let v=T[d],y;if($<=0)y=[0,0];else{let M=v._space=v.space(o,d,m,g,$),A=v._incrs=v.incrs(o,d,m,g,$,M);y=ag(m,g,A,$,M)}return v._found=y}function br(d,m,g,$,v,y,M,A,P,N){let I=M%2/2;_==1&&u.translate(I,I),fl(A,M,P,N,A),u.beginPath();let W,ne,be,ge,ce=v+($==0||$==3?-y:y);g==0?(ne=v,ge=ce):(W=v,be=ce);for(let Z=0;Z<d.length;Z++)m[Z]!=null&&(g==0?W=be=d[Z]:ne=ge=d[Z],u.moveTo(W,ne),u.lineTo(be,ge));u.stroke(),_==1&&u.translate(-I,-I)}function mf(d){let m=!0;return T.forEach((g,$)=>{if(!g.show)return;let v=C[g.scale];if(v.min==null){g._show&&(m=!1,g._show=!1,So(!1));return}else g._show||(m=!1,g._show=!0,So(!1));let y=g.side,M=y%2,{min:A,max:P}=v,[N,I]=ff($,A,P,M==0?re:q);if(I==0)return;let W=v.distr==2,ne=g._splits=g.splits(o,$,A,P,N,I,W),be=v.distr==2?ne.map(U=>Ut[U]):ne,ge=v.distr==2?Ut[ne[1]]-Ut[ne[0]]:N,ce=g._values=g.values(o,g.filter(o,be,$,I,ge),$,I,ge);g._rotate=y==2?g.rotate(o,ce,$,I):0;let Z=g._size;g._size=Ht(g.size(o,ce,$,d)),Z!=null&&g._size!=Z&&(m=!1)}),m}function hf(d){let m=!0;return dl.forEach((g,$)=>{let v=g(o,$,Gn,d);v!=kn[$]&&(m=!1),kn[$]=v}),m}function gf(){for(let d=0;d<T.length;d++){let m=T[d];if(!m.show||!m._show)continue;let g=m.side,$=g%2,v,y,M=m.stroke(o,d),A=g==0||g==3?-1:1,[P,N]=m._found;if(m.label!=null){let ut=m.labelGap*A,Tt=Ge((m._lpos+ut)*ve);ml(m.labelFont[0],M,"center",g==2?"top":au),u.save(),$==1?(v=y=0,u.translate(Tt,Ge(Pt+Vt/2)),u.rotate((g==3?-Oi:Oi)/2)):(v=Ge(_t+bt/2),y=Tt);let Jn=Ju(m.label)?m.label(o,d,P,N):m.label;u.fillText(Jn,v,y),u.restore()}if(N==0)continue;let I=C[m.scale],W=$==0?bt:Vt,ne=$==0?_t:Pt,be=m._splits,ge=I.distr==2?be.map(ut=>Ut[ut]):be,ce=I.distr==2?Ut[be[1]]-Ut[be[0]]:P,Z=m.ticks,U=m.border,Le=Z.show?Z.size:0,Ie=Ge(Le*ve),et=Ge((m.alignTo==2?m._size-Le-m.gap:m.gap)*ve),ke=m._rotate*-Oi/180,je=S(m._pos*ve),kt=(Ie+et)*A,ct=je+kt;y=$==0?ct:0,v=$==1?ct:0;let Rt=m.font[0],Gt=m.align==1?Ho:m.align==2?na:ke>0?Ho:ke<0?na:$==0?"center":g==3?na:Ho,sn=ke||$==1?"middle":g==2?"top":au;ml(Rt,M,Gt,sn);let St=m.font[1]*m.lineGap,Nt=be.map(ut=>S(a(ut,I,W,ne))),Kt=m._values;for(let ut=0;ut<Kt.length;ut++){let Tt=Kt[ut];if(Tt!=null){$==0?v=Nt[ut]:y=Nt[ut],Tt=""+Tt;let Jn=Tt.indexOf(`
`)==-1?[Tt]:Tt.split(/\n/gm);for(let dt=0;dt<Jn.length;dt++){let Nl=Jn[dt];ke?(u.save(),u.translate(v,y+dt*St),u.rotate(ke),u.fillText(Nl,0,0),u.restore()):u.fillText(Nl,v,y+dt*St)}}}Z.show&&br(Nt,Z.filter(o,ge,d,N,ce),$,g,je,Ie,Me(Z.width*ve,3),Z.stroke(o,d),Z.dash,Z.cap);let rn=m.grid;rn.show&&br(Nt,rn.filter(o,ge,d,N,ce),$,$==0?2:1,$==0?Pt:_t,$==0?Vt:bt,Me(rn.width*ve,3),rn.stroke(o,d),rn.dash,rn.cap),U.show&&br([je],[1],$==0?1:0,$==0?1:2,$==1?Pt:_t,$==1?Vt:bt,Me(U.width*ve,3),U.stroke(o,d),U.dash,U.cap)}Xe("drawAxes")}function So(d){x.forEach((m,g)=>{g>0&&(m._paths=null,d&&(s==1?(m.min=null,m.max=null):m.facets.forEach($=>{$.min=null,$.max=null})))})}let Qs=!1,vr=!1,is=[];function $f(){vr=!1;for(let d=0;d<is.length;d++)Xe(...is[d]);is.length=0}function To(){Qs||(eh(vl),Qs=!0)}function bf(d,m=!1){Qs=!0,vr=m,d(o),vl(),m&&is.length>0&&queueMicrotask($f)}o.batch=bf;function vl(){if(rr&&(cf(),rr=!1),vo&&(tf(),vo=!1),Us){if(Pe(b,Ho,Ce),Pe(b,"top",Ue),Pe(b,As,re),Pe(b,zs,q),Pe(w,Ho,Ce),Pe(w,"top",Ue),Pe(w,As,re),Pe(w,zs,q),Pe(h,As,hn),Pe(h,zs,Wn),f.width=Ge(hn*ve),f.height=Ge(Wn*ve),T.forEach(({_el:d,_show:m,_size:g,_pos:$,side:v})=>{if(d!=null)if(m){let y=v===3||v===0?g:0,M=v%2==1;Pe(d,M?"left":"top",$-y),Pe(d,M?"width":"height",g),Pe(d,M?"top":"left",M?Ue:Ce),Pe(d,M?"height":"width",M?q:re),da(d,ao)}else Et(d,ao)}),Ys=ko=cr=dr=pr=fr=mr=hr=ur=null,vt=1,ls(!0),Ce!=bo||Ue!=Hn||re!=en||q!=Bn){So(!1);let d=re/en,m=q/Bn;if(at&&!Vn&&V.left>=0){V.left*=d,V.top*=m,Mo&&dn(Mo,Ge(V.left),0,re,q),Co&&dn(Co,0,Ge(V.top),re,q);for(let g=0;g<Dt.length;g++){let $=Dt[g];$!=null&&(yo[g]*=d,_o[g]*=m,dn($,Ht(yo[g]),Ht(_o[g]),re,q))}}if(ze.show&&!Gs&&ze.left>=0&&ze.width>0){ze.left*=d,ze.width*=d,ze.top*=m,ze.height*=m;for(let g in Sr)Pe(zo,g,ze[g])}bo=Ce,Hn=Ue,en=re,Bn=q}Xe("setSize"),Us=!1}hn>0&&Wn>0&&(u.clearRect(0,0,f.width,f.height),Xe("drawClear"),J.forEach(d=>d()),Xe("draw")),ze.show&&Gs&&(Xs(ze),Gs=!1),at&&Vn&&(Yn(null,!0,!1),Vn=!1),ae.show&&ae.live&&Ot&&(_r(),Ot=!1),c||(c=!0,o.status=1,Xe("ready")),ss=!1,Qs=!1}o.redraw=(d,m)=>{vo=m||!1,d!==!1?Tn(O,L.min,L.max):To()};function wr(d,m){let g=C[d];if(g.from==null){if(ot==0){let $=g.range(o,m.min,m.max,d);m.min=$[0],m.max=$[1]}if(m.min>m.max){let $=m.min;m.min=m.max,m.max=$}if(ot>1&&m.min!=null&&m.max!=null&&m.max-m.min<1e-16)return;d==O&&g.distr==2&&ot>0&&(m.min=Jt(m.min,t[0]),m.max=Jt(m.max,t[0]),m.min==m.max&&m.max++),K[d]=m,rr=!0,To()}}o.setScale=wr;let xr,yr,Mo,Co,wl,xl,Eo,Ao,yl,_l,Ae,Re,Sn=!1,st=V.drag,Ze=st.x,Qe=st.y;at&&(V.x&&(xr=Wt(km,w)),V.y&&(yr=Wt(Sm,w)),L.ori==0?(Mo=xr,Co=yr):(Mo=yr,Co=xr),Ae=V.left,Re=V.top);let ze=o.select=Be({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),zo=ze.show?Wt(_m,ze.over?w:b):null;function Xs(d,m){if(ze.show){for(let g in d)ze[g]=d[g],g in Sr&&Pe(zo,g,d[g]);m!==!1&&Xe("setSelect")}}o.setSelect=Xs;function vf(d){if(x[d].show)Ve&&da(Ne[d],ao);else if(Ve&&Et(Ne[d],ao),at){let g=xo?Dt[0]:Dt[d];g!=null&&dn(g,-10,-10,re,q)}}function Tn(d,m,g){wr(d,{min:m,max:g})}function nn(d,m,g,$){m.focus!=null&&kf(d),m.show!=null&&x.forEach((v,y)=>{y>0&&(d==y||d==null)&&(v.show=m.show,vf(y),s==2?(Tn(v.facets[0].scale,null,null),Tn(v.facets[1].scale,null,null)):Tn(v.scale,null,null),To())}),g!==!1&&Xe("setSeries",d,m),$&&cs("setSeries",o,d,m)}o.setSeries=nn;function wf(d,m){Be(H[d],m)}function xf(d,m){d.fill=de(d.fill||null),d.dir=$e(d.dir,-1),m=m??H.length,H.splice(m,0,d)}function yf(d){d==null?H.length=0:H.splice(d,1)}o.addBand=xf,o.setBand=wf,o.delBand=yf;function _f(d,m){x[d].alpha=m,at&&Dt[d]!=null&&(Dt[d].style.opacity=m),Ve&&Ne[d]&&(Ne[d].style.opacity=m)}let gn,Mn,Kn,Lo={focus:!0};function kf(d){if(d!=Kn){let m=d==null,g=tn.alpha!=1;x.forEach(($,v)=>{if(s==1||v>0){let y=m||v==0||v==d;$._focus=m?null:y,g&&_f(v,y?1:tn.alpha)}}),Kn=d,g&&To()}}Ve&&wo&&lt(du,we,d=>{V._lock||(Un(d),Kn!=null&&nn(null,Lo,!0,He.setSeries))});function on(d,m,g){let $=C[m];g&&(d=d/ve-($.ori==1?Ue:Ce));let v=re;$.ori==1&&(v=q,d=v-d),$.dir==-1&&(d=v-d);let y=$._min,M=$._max,A=d/v,P=y+(M-y)*A,N=$.distr;return N==3?Uo(10,P):N==4?Wm(P,$.asinh):N==100?$.bwd(P):P}function Sf(d,m){let g=on(d,O,m);return Jt(g,t[0],Ye,Je)}o.valToIdx=d=>Jt(d,t[0]),o.posToIdx=Sf,o.posToVal=on,o.valToPos=(d,m,g)=>C[m].ori==0?i(d,C[m],g?bt:re,g?_t:0):r(d,C[m],g?Vt:q,g?Pt:0),o.setCursor=(d,m,g)=>{Ae=d.left,Re=d.top,Yn(null,m,g)};function kl(d,m){Pe(zo,Ho,ze.left=d),Pe(zo,As,ze.width=m)}function Sl(d,m){Pe(zo,"top",ze.top=d),Pe(zo,zs,ze.height=m)}let rs=L.ori==0?kl:Sl,as=L.ori==1?kl:Sl;function Tf(){if(Ve&&ae.live)for(let d=s==2?1:0;d<x.length;d++){if(d==0&&Lt)continue;let m=ae.values[d],g=0;for(let $ in m)Xt[d][g++].firstChild.nodeValue=m[$]}}function _r(d,m){if(d!=null&&(d.idxs?d.idxs.forEach((g,$)=>{_e[$]=g}):Um(d.idx)||_e.fill(d.idx),ae.idx=_e[0]),Ve&&ae.live){for(let g=0;g<x.length;g++)(g>0||s==1&&!Lt)&&Mf(g,_e[g]);Tf()}Ot=!1,m!==!1&&Xe("setLegend")}o.setLegend=_r;function Mf(d,m){let g=x[d],$=d==0&&X==2?Ut:t[d],v;Lt?v=g.values(o,d,m)??_n:(v=g.value(o,m==null?null:$[m],d,m),v=v==null?_n:{_:v}),ae.values[d]=v}function Yn(d,m,g){yl=Ae,_l=Re,[Ae,Re]=V.move(o,Ae,Re),V.left=Ae,V.top=Re,at&&(Mo&&dn(Mo,Ge(Ae),0,re,q),Co&&dn(Co,0,Ge(Re),re,q));let $,v=Ye>Je;gn=Te,Mn=null;let y=L.ori==0?re:q,M=L.ori==1?re:q;if(Ae<0||ot==0||v){$=V.idx=null;for(let A=0;A<x.length;A++){let P=Dt[A];P!=null&&dn(P,-10,-10,re,q)}wo&&nn(null,Lo,!0,d==null&&He.setSeries),ae.live&&(_e.fill($),Ot=!0)}else{let A,P,N;s==1&&(A=L.ori==0?Ae:Re,P=on(A,O),$=V.idx=Jt(P,t[0],Ye,Je),N=B(t[0][$],L,y,0));let I=-10,W=-10,ne=0,be=0,ge=!0,ce="",Z="";for(let U=s==2?1:0;U<x.length;U++){let Le=x[U],Ie=_e[U],et=Ie==null?null:s==1?t[U][Ie]:t[U][1][Ie],ke=V.dataIdx(o,U,$,P),je=ke==null?null:s==1?t[U][ke]:t[U][1][ke];if(Ot=Ot||je!=et||ke!=Ie,_e[U]=ke,U>0&&Le.show){let kt=ke==null?-10:ke==$?N:B(s==1?t[0][ke]:t[U][0][ke],L,y,0),ct=je==null?-10:te(je,s==1?C[Le.scale]:C[Le.facets[1].scale],M,0);if(wo&&je!=null){let Rt=L.ori==1?Ae:Re,Gt=Ke(tn.dist(o,U,ke,ct,Rt));if(Gt<gn){let sn=tn.bias;if(sn!=0){let St=on(Rt,Le.scale),Nt=je>=0?1:-1,Kt=St>=0?1:-1;Kt==Nt&&(Kt==1?sn==1?je>=St:je<=St:sn==1?je<=St:je>=St)&&(gn=Gt,Mn=U)}else gn=Gt,Mn=U}}if(Ot||xo){let Rt,Gt;L.ori==0?(Rt=kt,Gt=ct):(Rt=ct,Gt=kt);let sn,St,Nt,Kt,rn,ut,Tt=!0,Jn=rt.bbox;if(Jn!=null){Tt=!1;let dt=Jn(o,U);Nt=dt.left,Kt=dt.top,sn=dt.width,St=dt.height}else Nt=Rt,Kt=Gt,sn=St=rt.size(o,U);if(ut=rt.fill(o,U),rn=rt.stroke(o,U),xo)U==Mn&&gn<=tn.prox&&(I=Nt,W=Kt,ne=sn,be=St,ge=Tt,ce=ut,Z=rn);else{let dt=Dt[U];dt!=null&&(yo[U]=Nt,_o[U]=Kt,bu(dt,sn,St,Tt),gu(dt,ut,rn),dn(dt,Ht(Nt),Ht(Kt),re,q))}}}}if(xo){let U=tn.prox,Le=Kn==null?gn<=U:gn>U||Mn!=Kn;if(Ot||Le){let Ie=Dt[0];Ie!=null&&(yo[0]=I,_o[0]=W,bu(Ie,ne,be,ge),gu(Ie,ce,Z),dn(Ie,Ht(I),Ht(W),re,q))}}}if(ze.show&&Sn)if(d!=null){let[A,P]=He.scales,[N,I]=He.match,[W,ne]=d.cursor.sync.scales,be=d.cursor.drag;if(Ze=be._x,Qe=be._y,Ze||Qe){let{left:ge,top:ce,width:Z,height:U}=d.select,Le=d.scales[W].ori,Ie=d.posToVal,et,ke,je,kt,ct,Rt=A!=null&&N(A,W),Gt=P!=null&&I(P,ne);Rt&&Ze?(Le==0?(et=ge,ke=Z):(et=ce,ke=U),je=C[A],kt=B(Ie(et,W),je,y,0),ct=B(Ie(et+ke,W),je,y,0),rs(Zt(kt,ct),Ke(ct-kt))):rs(0,y),Gt&&Qe?(Le==1?(et=ge,ke=Z):(et=ce,ke=U),je=C[P],kt=te(Ie(et,ne),je,M,0),ct=te(Ie(et+ke,ne),je,M,0),as(Zt(kt,ct),Ke(ct-kt))):as(0,M)}else Tr()}else{let A=Ke(yl-wl),P=Ke(_l-xl);if(L.ori==1){let ne=A;A=P,P=ne}Ze=st.x&&A>=st.dist,Qe=st.y&&P>=st.dist;let N=st.uni;N!=null?Ze&&Qe&&(Ze=A>=N,Qe=P>=N,!Ze&&!Qe&&(P>A?Qe=!0:Ze=!0)):st.x&&st.y&&(Ze||Qe)&&(Ze=Qe=!0);let I,W;Ze&&(L.ori==0?(I=Eo,W=Ae):(I=Ao,W=Re),rs(Zt(I,W),Ke(W-I)),Qe||as(0,M)),Qe&&(L.ori==1?(I=Eo,W=Ae):(I=Ao,W=Re),as(Zt(I,W),Ke(W-I)),Ze||rs(0,y)),!Ze&&!Qe&&(rs(0,0),as(0,0))}if(st._x=Ze,st._y=Qe,d==null){if(g){if(Rl!=null){let[A,P]=He.scales;He.values[0]=A!=null?on(L.ori==0?Ae:Re,A):null,He.values[1]=P!=null?on(L.ori==1?Ae:Re,P):null}cs(oa,o,Ae,Re,re,q,$)}if(wo){let A=g&&He.setSeries,P=tn.prox;Kn==null?gn<=P&&nn(Mn,Lo,!0,A):gn>P?nn(null,Lo,!0,A):Mn!=Kn&&nn(Mn,Lo,!0,A)}}Ot&&(ae.idx=$,_r()),m!==!1&&Xe("setCursor")}let Cn=null;Object.defineProperty(o,"rect",{get(){return Cn==null&&ls(!1),Cn}});function ls(d=!1){d?Cn=null:(Cn=w.getBoundingClientRect(),Xe("syncRect",Cn))}function Tl(d,m,g,$,v,y,M){V._lock||Sn&&d!=null&&d.movementX==0&&d.movementY==0||(kr(d,m,g,$,v,y,M,!1,d!=null),d!=null?Yn(null,!0,!0):Yn(m,!0,!1))}function kr(d,m,g,$,v,y,M,A,P){if(Cn==null&&ls(!1),Un(d),d!=null)g=d.clientX-Cn.left,$=d.clientY-Cn.top;else{if(g<0||$<0){Ae=-10,Re=-10;return}let[N,I]=He.scales,W=m.cursor.sync,[ne,be]=W.values,[ge,ce]=W.scales,[Z,U]=He.match,Le=m.axes[0].side%2==1,Ie=L.ori==0?re:q,et=L.ori==1?re:q,ke=Le?y:v,je=Le?v:y,kt=Le?$:g,ct=Le?g:$;if(ge!=null?g=Z(N,ge)?a(ne,C[N],Ie,0):-10:g=Ie*(kt/ke),ce!=null?$=U(I,ce)?a(be,C[I],et,0):-10:$=et*(ct/je),L.ori==1){let Rt=g;g=$,$=Rt}}P&&(m==null||m.cursor.event.type==oa)&&((g<=1||g>=re-1)&&(g=io(g,re)),($<=1||$>=q-1)&&($=io($,q))),A?(wl=g,xl=$,[Eo,Ao]=V.move(o,g,$)):(Ae=g,Re=$)}let Sr={width:0,height:0,left:0,top:0};function Tr(){Xs(Sr,!1)}let Ml,Cl,El,Al;function zl(d,m,g,$,v,y,M){Sn=!0,Ze=Qe=st._x=st._y=!1,kr(d,m,g,$,v,y,M,!0,!1),d!=null&&(lt(sa,ca,Ll,!1),cs(cu,o,Eo,Ao,re,q,null));let{left:A,top:P,width:N,height:I}=ze;Ml=A,Cl=P,El=N,Al=I}function Ll(d,m,g,$,v,y,M){Sn=st._x=st._y=!1,kr(d,m,g,$,v,y,M,!1,!0);let{left:A,top:P,width:N,height:I}=ze,W=N>0||I>0,ne=Ml!=A||Cl!=P||El!=N||Al!=I;if(W&&ne&&Xs(ze),st.setScale&&W&&ne){let be=A,ge=N,ce=P,Z=I;if(L.ori==1&&(be=P,ge=I,ce=A,Z=N),Ze&&Tn(O,on(be,O),on(be+ge,O)),Qe)for(let U in C){let Le=C[U];U!=O&&Le.from==null&&Le.min!=Te&&Tn(U,on(ce+Z,U),on(ce,U))}Tr()}else V.lock&&(V._lock=!V._lock,Yn(m,!0,d!=null));d!=null&&($o(sa,ca),cs(sa,o,Ae,Re,re,q,null))}function Cf(d,m,g,$,v,y,M){if(V._lock)return;Un(d);let A=Sn;if(Sn){let P=!0,N=!0,I=10,W,ne;L.ori==0?(W=Ze,ne=Qe):(W=Qe,ne=Ze),W&&ne&&(P=Ae<=I||Ae>=re-I,N=Re<=I||Re>=q-I),W&&P&&(Ae=Ae<Eo?0:re),ne&&N&&(Re=Re<Ao?0:q),Yn(null,!0,!0),Sn=!1}Ae=-10,Re=-10,_e.fill(null),Yn(null,!0,!0),A&&(Sn=A)}function Pl(d,m,g,$,v,y,M){V._lock||(Un(d),lr(),Tr(),d!=null&&cs(pu,o,Ae,Re,re,q,null))}function Ol(){T.forEach(lg),ar(o.width,o.height,!0)}lo(Di,Vo,Ol);let Po={};Po.mousedown=zl,Po.mousemove=Tl,Po.mouseup=Ll,Po.dblclick=Pl,Po.setSeries=(d,m,g,$)=>{let v=He.match[2];g=v(o,m,g),g!=-1&&nn(g,$,!0,!1)},at&&(lt(cu,w,zl),lt(oa,w,Tl),lt(uu,w,d=>{Un(d),ls(!1)}),lt(du,w,Cf),lt(pu,w,Pl),$a.add(o),o.syncRect=ls);let ei=o.hooks=e.hooks||{};function Xe(d,m,g){vr?is.push([d,m,g]):d in ei&&ei[d].forEach($=>{$.call(null,o,m,g)})}(e.plugins||[]).forEach(d=>{for(let m in d.hooks)ei[m]=(ei[m]||[]).concat(d.hooks[m])});let Dl=(d,m,g)=>g,He=Be({key:null,setSeries:!1,filters:{pub:_u,sub:_u},scales:[O,x[1]?x[1].scale:null],match:[ku,ku,Dl],values:[null,null]},V.sync);He.match.length==2&&He.match.push(Dl),V.sync=He;let Rl=He.key,Mr=wd(Rl);function cs(d,m,g,$,v,y,M){He.filters.pub(d,m,g,$,v,y,M)&&Mr.pub(d,m,g,$,v,y,M)}Mr.sub(o);function Ef(d,m,g,$,v,y,M){He.filters.sub(d,m,g,$,v,y,M)&&Po[d](null,m,g,$,v,y,M)}o.pub=Ef;function Af(){Mr.unsub(o),$a.delete(o),qn.clear(),pa(Di,Vo,Ol),p.remove(),we?.remove(),Xe("destroy")}o.destroy=Af;function Cr(){Xe("init",e,t),pl(t||e.data,!1),K[O]?wr(O,K[O]):lr(),Gs=ze.show&&(ze.width>0||ze.height>0),Vn=Ot=!0,ar(e.width,e.height)}return x.forEach(ul),T.forEach(lf),n?n instanceof HTMLElement?(n.appendChild(p),Cr()):n(o,Cr):Cr(),o}it.assign=Be;it.fmtNum=ka;it.rangeNum=Ri;it.rangeLog=Ii;it.rangeAsinh=ya;it.orient=uo;it.pxRatio=ve;it.join=Xm;it.fmtDate=Ta,it.tzDate=uh;it.sync=wd;{it.addGap=Uh,it.clipGaps=Wi;let e=it.paths={points:Td};e.linear=Cd,e.stepped=Yh,e.bars=Jh,e.spline=Qh}var cg=["accent","text","text-2","text-3","line","line-strong","bg"];function ug(e){let t=document.createElement("canvas"),n=6*devicePixelRatio;t.width=t.height=n;let o=t.getContext("2d");o.strokeStyle=e,o.lineWidth=devicePixelRatio;for(let s of[-n,0,n])o.beginPath(),o.moveTo(s,n),o.lineTo(s+n,0),o.stroke();return o.createPattern(t,"repeat")}function dg({lines:e,limit:t,limitText:n,beyond:o,beyondText:s,unit:i},r){let a=f=>f*devicePixelRatio;return{clear:f=>{if(o===void 0)return;let{ctx:u}=f,h=f.valToPos(o,"x",!0);u.save(),u.globalAlpha=.6,u.fillStyle=ug(r["line-strong"]),u.fillRect(h,f.bbox.top,f.bbox.left+f.bbox.width-h,f.bbox.height),u.restore(),u.fillStyle=r.accent,u.fillRect(h-a(.5),f.bbox.top,a(1),f.bbox.height)},draw:f=>{let{ctx:u}=f;u.save();let h=w=>`${w} ${a(13)}px ${getComputedStyle(document.body).fontFamily}`,b=(w,_,S,k)=>{u.strokeStyle=r.bg,u.lineWidth=a(4),u.lineJoin="round",u.strokeText(w,S,k),u.fillStyle=_,u.fillText(w,S,k)};if(u.textBaseline="middle",u.textAlign="left",t!==void 0){let w=f.valToPos(t,"y",!0);w>f.bbox.top&&(u.setLineDash([a(3),a(3)]),u.strokeStyle=r.text,u.lineWidth=a(1),u.beginPath(),u.moveTo(f.bbox.left,w),u.lineTo(f.bbox.left+f.bbox.width,w),u.stroke(),u.setLineDash([]),u.font=h(500),b(n,r.text,f.bbox.left+a(8),w-a(11)))}if(s){let w=f.valToPos(o,"x",!0),_=w-f.bbox.left>a(120);u.font=h(600),u.textAlign=_?"right":"left",b(s,r.accent,w+(_?-a(8):a(8)),f.bbox.top+a(12)),u.textAlign="left"}pg(f,e,r,h,a,i),u.restore()}}}function pg(e,t,n,o,s,i){let{ctx:r}=e,a=e.bbox.width<s(480),c=e.bbox.top+s(4),p=t.map((f,u)=>{let h=e.data[u+1],b=h.length-1;for(;b>0&&h[b]==null;)b--;return{...f,value:h[b],y:Math.max(c,e.valToPos(h[b]??0,"y",!0))}}).filter(f=>f.value!=null).sort((f,u)=>f.y-u.y);for(let f=1;f<p.length;f++)p[f].y=Math.max(p[f].y,p[f-1].y+s(17));r.textAlign="left";for(let f of p)r.font=o(500),r.fillStyle=n[f.ink],r.fillText(a?f.name:`${f.name}, ${i(f.value)}`,e.bbox.left+e.bbox.width+s(10),Math.min(f.y,e.bbox.top+e.bbox.height-s(2)))}function Rs(e){let t=j(null),n=F(It),{x:o,lines:s,label:i,height:r=380}=e;return z(()=>{let a,c=()=>{a?.destroy();let{width:u}=t.current.getBoundingClientRect();a=new it(fg(e,u,cn(...cg)),[o,...s.map(h=>h.values)],t.current)};c();let p=t.current.clientWidth,f=new ResizeObserver(()=>{t.current.clientWidth!==p&&(p=t.current.clientWidth,c())});return f.observe(t.current),()=>{f.disconnect(),a.destroy()}},[e.report,n,o]),l`<div class="plot-box" ref=${t} role="img" aria-label=${i} style=${{height:`${r}px`}}></div>`}function fg(e,t,n){let{lines:o,height:s=380,points:i=!1,most:r,xText:a,xValue:c=String,unit:p=Ct}=e,f=t<560,{clear:u,draw:h}=dg({...e,unit:p},n),b=`12px ${getComputedStyle(document.documentElement).getPropertyValue("--mono")}`,w={stroke:n["text-3"],font:b,grid:{stroke:n.line,width:1},ticks:{show:!1}};return{width:t,height:f?Math.min(s,300):s,padding:[14,f?64:120,a?26:0,0],legend:{show:!1},cursor:{show:!1},select:{show:!1},scales:{x:{time:!1},y:{range:(_,S,k)=>[0,r??Math.max(k*1.08,.001)]}},axes:[{...w,size:32,grid:{show:!1},values:(_,S)=>S.map(c),space:f?44:56,gap:8},{...w,size:f?56:66,values:(_,S)=>S.map(k=>k===0?"0":p(k)),space:56,gap:8}],series:[{},...o.map(_=>({stroke:n[_.ink],width:_.width??1.5,spanGaps:!0,points:{show:i,size:_.width?8:6,width:_.width?1.75:1.5,fill:n.bg,stroke:n[_.ink]}}))],hooks:{drawClear:[u],draw:[h,_=>{if(!a)return;let{ctx:S}=_;S.save(),S.font=`${12*devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`,S.fillStyle=n["text-3"],S.textAlign="right",S.textBaseline="bottom",S.fillText(a,_.bbox.left+_.bbox.width,_.ctx.canvas.height-4*devicePixelRatio),S.restore()}]}}}function Pd({one:e,other:t,onEnd:n}){let o=Xc(e,t),[s,i]=[o.before.report,o.now.report],[r,a,c]=tu(s,i),p=ou(s,i),f=su(s,i);return l`<div class="report-bar compared">
      <${Ld} word="Before" opened=${o.before} onEnd=${()=>n(o.now)} /><${Ld} word="Now" opened=${o.now} onEnd=${()=>n(o.before)} />
    </div>
    <h1 class="verdict">${r}${a&&l`<em>${a}</em>`}${c}</h1>
    <p class="lede">${nu(s,i).map(u=>u.b?l`<b>${u.b}</b>`:u)}</p>
    ${f&&l`<${fe} kind="warn" box title="They were not tested alike.">${f}<//>`}
    ${p.length>1&&l`<${mg} before=${s} now=${i} rows=${p} pair=${e} />`}
    <div class="section"><h2>Percentiles</h2><span class="dim second">milliseconds, before and now</span></div>
    <div class="table-box" tabindex="0" role="region" aria-label="Percentiles">${p.length>1?l`<${hg} rows=${p} />`:l`<${gg} before=${s} now=${i} />`}</div>
    <div class="section"><h2>What was tested</h2></div>
    <div class="table-box" tabindex="0" role="region" aria-label="What was tested">
      <table class="both-facts">
        <thead><tr><th></th><th>Before</th><th>Now</th></tr></thead>
        <tbody>${ta(s,i).map(([u,h,b])=>l`<tr key=${u}><td class="mid">${u}</td><td>${h??"–"}</td><td class=${h===b?"dim":""}>${h===b?"the same":b??"–"}</td></tr>`)}</tbody>
      </table>
    </div>`}function Ld({word:e,opened:{name:t,report:n},onEnd:o}){return l`<span class="named"><b>${e}</b><span>${t}</span><span class="dim">${xt(n.started)}, ${ht(n.started)}</span>
    <button type="button" class="button small quiet only" aria-label=${`Close ${t}`} onClick=${o}><${D} name="close" /></button></span>`}function mg({before:e,now:t,rows:n,pair:o}){let s=Nn(t),i=iu(e,t),r=f=>n.map(u=>u[f]?.final.count>0?u[f].final[s]:null),a=n.flatMap(f=>[f.before,f.now]).filter(f=>f?.kept),c=i?Math.max(i.limit*2,...a.map(f=>f.final[s]*1.2)):void 0,p=[{name:"now",ink:"accent",values:r("now"),width:2.5},{name:"before",ink:"text-2",values:r("before")}].filter(f=>f.values.some(u=>u!==null));return l`<figure class="plot">
    <${Rs}
      report=${o}
      x=${n.map(f=>f.sessions)}
      lines=${p}
      label=${`${s} delay of finals against sessions, before and now.`}
      points
      most=${c}
      limit=${i?.measure==="final"?i.limit:void 0}
      limitText=${i&&Ms(i)}
      xText="sessions, each speaking without a pause"
    />
    <figcaption>Delay of finals (${s}), from the end of speech.</figcaption>
  </figure>`}function Od({before:e,now:t}){let n=ea(e,t),o=s=>s>0?Ts(s):"–";return l`<td class="num right">${o(e)}</td><td class="num right">${o(t)}</td><td class=${`num right change${n>.1?" later":""}`}>${eu(n)}</td>`}var Dd=e=>l`<tr><th></th>${e.map(t=>l`<th class="right group" colspan="3" scope="colgroup">${t}</th>`)}</tr>`;function hg({rows:e}){let t=[["Final p50","final","p50"],["Final p95","final","p95"],["Ack p99","ack","p99"]],n=(o,s,i)=>o?.[s].count>0?o[s][i]:null;return l`<table>
    <thead>${Dd(t.map(([o])=>o))}</thead>
    <tbody>
      ${e.map(o=>l`<tr key=${o.sessions}>
          <td class="num">${R(o.sessions)}<span class="dim"> sessions</span></td>
          ${t.map(([,s,i])=>l`<${Od} before=${n(o.before,s,i)} now=${n(o.now,s,i)} />`)}
        </tr>`)}
    </tbody>
  </table>`}function gg({before:e,now:t}){let n=["p50","p95","p99"],o=(s,i)=>s.delays[i]?.count>0;return l`<table>
    <thead>${Dd(n)}</thead>
    <tbody>
      ${Ai.filter(([s])=>o(e,s)||o(t,s)).map(([s,i])=>l`<tr key=${s}>
            <td>${i}</td>
            ${n.map(r=>l`<${Od} before=${o(e,s)&&e.delays[s][r]} now=${o(t,s)&&t.delays[s][r]} />`)}
          </tr>`)}
    </tbody>
  </table>`}var xn=le(null),Ns=le(null);function Fd(){let e=F(xn),t=F(Ns),[n,o]=E(""),[s,i]=E(!1),r=j(null),a=j(xn),c=async h=>{if(h)try{a.current.set({name:h.name,report:await Uc(h)}),a.current===xn&&Ns.set(null),o(""),scrollTo(0,0)}catch(b){o(b.message)}},p=h=>{c(h.target.files[0]),h.target.value=""};$g(h=>{a.current=xn.get()?Ns:xn,c(h)},i);let f=h=>()=>{a.current=h,r.current.click()},u=h=>{xn.set(h),Ns.set(null)};return l`<main class=${`page load${s?" over":""}`} id="main" tabindex="-1">
    <input type="file" accept="application/json,.json" hidden ref=${r} aria-label="Report to open" onChange=${p} />
    ${n&&l`<${fe} kind="bad" box title="This cannot be shown.">${n}<//>`}
    ${!e&&l`<${bg} onOpen=${f(xn)} />`} ${e&&!t&&l`<${vg} ...${e} onOpen=${f(xn)} onCompare=${f(Ns)} />`}
    ${e&&t&&l`<${Pd} one=${e} other=${t} onEnd=${u} />`}
  </main>`}function $g(e,t){z(()=>{let n=i=>{i.preventDefault(),t(!0)},o=i=>i.relatedTarget===null&&t(!1),s=i=>{i.preventDefault(),t(!1),e(i.dataTransfer.files[0])};return addEventListener("dragover",n),addEventListener("dragleave",o),addEventListener("drop",s),()=>{removeEventListener("dragover",n),removeEventListener("dragleave",o),removeEventListener("drop",s)}},[])}function bg({onOpen:e}){let t=`loadtest --url ${tt.replace(/\/$/,"")} \\
  --key $KEY --audio talks/ \\
  --find-capacity --slo final_p95=800ms \\
  --json report.json`;return l`<${wt} page title="How many people can this machine follow?" actions=${l`<button type="button" class="button primary" onClick=${e}><${D} name="file" />Open a report</button>`}>
      Let it find out. The tool adds sessions until finals come later than you promise, then goes back to the last number that held. It takes about 20
      minutes; open the file it writes here, or drop it on this page. It never leaves your browser.
    <//>
    <div class="narrow-text"><${Pn} text=${t} /></div>`}function vg({name:e,report:t,onOpen:n,onCompare:o}){let[s,i,r]=Kc(t),a=Dn(t);return l`<div class="report-bar">
      <span>${e}</span><span class="dim">·</span><span>${xt(t.started)}, ${ht(t.started)}, ${nt(t.capacity?.wall_seconds??t.wall_seconds)}</span>
      <span class="grow"></span>
      <button type="button" class="button small" onClick=${o}>Compare</button>
      <button type="button" class="button small" onClick=${n}><${D} name="file" />Open another</button>
      <button type="button" class="button small quiet" onClick=${()=>xn.set(null)}>Close</button>
    </div>
    <h1 class="verdict">${s}${i&&l`<em>${i}</em>`}${r}</h1>
    <p class="lede">${Yc(t).map(c=>c.b?l`<b>${c.b}</b>`:c)}</p>
    ${a.length>1?l`<${wg} report=${t} trials=${a} />`:l`<${Rd} report=${t} />`}
    <${xg} report=${t} trials=${a} />
    ${a.length>1&&t.series?.length>1&&l`<div class="section"><h2>While it was confirmed</h2></div><${Rd} report=${t} small />`}
    <div class="columns">
      <section>
        <div class="section"><h2>Was it a fair test?</h2></div>
        <p class="mid fair">${Jc(t)}</p>
      </section>
      <section>
        <div class="section"><h2>What was tested</h2></div>
        <dl class="facts-list">${Cs(t).map(([c,p])=>l`<dt>${c}</dt><dd class=${c==="Promise"||c==="Server"?"mono label":""}>${p}</dd>`)}</dl>
      </section>
    </div>`}function wg({report:e,trials:t}){let n=Nn(e),o=Rn(e),s=e.capacity.sessions,i=u=>t.map(h=>h[u].count>0?h[u][n]:null),r=i("final"),a=o?Math.max(o.limit*2,...r.filter((u,h)=>u!==null&&t[h].kept).map(u=>u*1.2)):void 0,c=[{name:"final",ink:"accent",values:r,width:2.5},{name:"partial",ink:"text-2",values:i("partial")},{name:"ack",ink:"text-3",values:i("ack")}].filter(u=>u.values.some(h=>h!==null)),p=t.find(u=>!u.kept&&u.sessions>s),f=`${n} delay against sessions: ${s>0?`what was promised holds up to ${s} sessions`:"what was promised does not hold"}${p?` and is missed at ${p.sessions}`:""}.`;return l`<figure class="plot">
    <${Rs}
      report=${e}
      x=${t.map(u=>u.sessions)}
      lines=${c}
      label=${f}
      points
      most=${a}
      limit=${o?.limit}
      limitText=${o&&Ms(o)}
      beyond=${s>0&&e.capacity.limit?s:void 0}
      beyondText=${s>0&&e.capacity.limit?`${s} sessions`:""}
      xText="sessions, each speaking without a pause"
    />
    <figcaption>
      Delay (${n}), from the end of speech (finals), of a word (partials) or of sending (acks). ${e.capacity.limit>0&&"Hatched: beyond what was promised."}
    </figcaption>
  </figure>`}function Rd({report:e,small:t=!1}){let n=e.series??[];if(n.length<2)return null;let o=Rn(e),s=[{name:"final",ink:"accent",values:n.map(r=>r.final_p95||null),width:2.5},{name:"partial",ink:"text-2",values:n.map(r=>r.partial_p95||null)},{name:"ack",ink:"text-3",values:n.map(r=>r.ack_p95||null)}].filter(r=>r.values.some(a=>a!==null)),i=Math.max(...n.map(r=>r.final_p95));return l`<figure class="plot">
    <${Rs}
      report=${e}
      x=${n.map(r=>r.at)}
      lines=${s}
      height=${t?260:380}
      label=${`Delays over the run, p95 of each interval: finals took ${Ct(i)} at most.`}
      xValue=${r=>ie(r)}
      limit=${o?.quantile==="p95"?o.limit:void 0}
      limitText=${o&&Ms(o)}
      xText="since the beginning"
    />
    <figcaption>Delay of 95 in 100 in each interval, from the end of speech (finals), of a word (partials) or of sending (acks).</figcaption>
  </figure>`}var Nd=["p50","p95","p99"];function xg({report:e,trials:t}){return l`<div class="section"><h2>Percentiles</h2><span class="dim second">milliseconds</span></div>
    <div class="table-box" tabindex="0" role="region" aria-label="Percentiles">${t.length>1?l`<${yg} report=${e} trials=${t} />`:l`<${kg} report=${e} />`}</div>`}function yg({report:e,trials:t}){let n=["ack","partial","final"].filter(s=>t.some(i=>i[s].count>0)),o={ack:"Ack",partial:"Partial",final:"Final"};return l`<table>
    <thead>
      <tr>
        <th class="right">Sessions</th>
        ${n.map(s=>Nd.map((i,r)=>l`<th class="right">${r===0?`${o[s]} ${i}`:i}</th>`))}
        <th class="right">Server</th>
        <th class="right">Generator</th>
        <th>Promise</th>
      </tr>
    </thead>
    <tbody>
      ${t.map(s=>l`<tr key=${s.sessions}>
          <td class="num right">${R(s.sessions)}</td>
          ${n.map(i=>Nd.map(r=>l`<td class="num right">${s[i].count>0?Ts(s[i][r]):"–"}</td>`))}
          <td class="num right">${s.server?s.server.processor.toFixed(2):"–"}</td>
          <td class="num right">${Math.round(s.generator.used*100)} %</td>
          <td><${_g} trial=${s} carried=${e.capacity.sessions} /></td>
        </tr>`)}
    </tbody>
  </table>`}function _g({trial:e,carried:t}){return e.kept?e.sessions!==t?l`<span class="dim">kept</span>`:l`<b class="kept">kept, confirmed ${Math.round(e.seconds)} s</b>`:l`<span class="danger-text" title=${e.why}>missed</span>`}function kg({report:e}){let t=["p50","p90","p95","p99","p999","max"];return l`<table>
    <thead>
      <tr><th>Delay</th><th class="right">Count</th>${t.map(n=>l`<th class="right">${n}</th>`)}</tr>
    </thead>
    <tbody>
      ${Ai.filter(([n])=>e.delays[n]?.count>0).map(([n,o])=>l`<tr key=${n}>
            <td>${o}</td>
            <td class="num right">${R(e.delays[n].count)}</td>
            ${t.map(s=>l`<td class="num right">${Ts(e.delays[n][s])}</td>`)}
          </tr>`)}
    </tbody>
  </table>`}function Id(){return l`<main class="door" id="main"><div><${ks} /><h1>Which key?</h1><${fi} /></div></main>`}function jd(){return pt(hs,2),l`<main class="door" id="main">
    <div>
      <${ks} />
      <h1>steno does not answer.</h1>
      <p class="away">
        It may be starting again, which takes a few seconds. This page tries every 2 s. On the machine, <span class="mono label">systemctl status steno</span>
        tells more.
      </p>
      <button type="button" class="button" onClick=${hs}><${D} name="again" />Try now</button>
    </div>
  </main>`}function Fs({label:e,value:t,options:n,onChange:o}){let[s,i]=E(!1),r=j(null),a=j(null),c=n.find(f=>f.value===t);if(z(()=>{s&&a.current.querySelector('[role="menuitemradio"]')?.focus()},[s]),t)return l`<button type="button" class="chip" aria-pressed="true" aria-label=${`${c?.label??t}: take this filter off`} onClick=${()=>o("")}>
      ${c?.label??t}<${D} name="close" />
    </button>`;let p=f=>()=>{i(!1),o(f.value)};return l`<button type="button" class="chip" ref=${r} aria-haspopup="menu" aria-expanded=${s} onClick=${()=>i(!s)}>
      ${e}<${D} name="down" />
    </button>
    ${s&&l`<${bn} anchor=${r} role="menu" label=${e} onClose=${()=>i(!1)}>
      <div ref=${a} onKeyDown=${f=>Wo(f,'[role="menuitemradio"]')}>
        ${n.map(f=>l`<button key=${f.value} type="button" role="menuitemradio" aria-checked="false" tabindex="-1" onClick=${p(f)}><span>${f.label}</span></button>`)}
      </div>
    <//>`}`}function qd({value:e,onChange:t}){let[n,o]=E(!1),[s,i]=E(""),[r,a]=E(""),c=j(null),p=j(null);return z(()=>{n&&p.current.querySelector("input").focus()},[n]),e?l`<button type="button" class="chip" aria-pressed="true" aria-label=${`${e}: take this filter off`} onClick=${()=>t("")}>${e}<${D} name="close" /></button>`:l`<button type="button" class="chip" ref=${c} aria-haspopup="dialog" aria-expanded=${n} onClick=${()=>o(!n)}>Metadata<${D} name="down" /></button>
    ${n&&l`<${bn} anchor=${c} role="dialog" label="Metadata" width="min(300px, calc(100vw - 24px))" class="wide-body" onClose=${()=>o(!1)}>
      <form class="metadata-form" ref=${p} onSubmit=${u=>{u.preventDefault(),!(!s.trim()||!r.trim())&&(o(!1),t(`${s.trim()}=${r.trim()}`))}}>
        <label class="field"><span class="name">Field</span><input class="input" value=${s} placeholder="team" onInput=${u=>i(u.target.value)} /></label>
        <label class="field"><span class="name">Value</span><input class="input" value=${r} placeholder="harbour" onInput=${u=>a(u.target.value)} /></label>
        <button type="submit" class="button">Show only these</button>
      </form>
    <//>`}`}function po(e,t){let n=0,o=e.start.length;for(;n<o;){let s=n+o>>1;e.start[s]<=t+.001?n=s+1:o=s}return n-1}function Is(e,t){return e.speaker[t]>=0?{n:e.speaker[t],name:`Speaker ${e.speaker[t]+1}`}:{n:e.channel[t],name:`Channel ${e.channel[t]+1}`}}function jn(e){let t=new Map;for(let n=0;n<e.start.length;n++){let o=Is(e,n),s=t.get(o.name)??{...o,seconds:0};s.seconds+=e.end[n]-e.start[n],t.set(o.name,s)}return[...t.values()].sort((n,o)=>n.n-o.n)}var Pa=(e,t)=>t===0||e.speaker[t]!==e.speaker[t-1]||e.channel[t]!==e.channel[t-1];var Xo=3,Sg=8,Oa=["voice-1","voice-2","voice-3","voice-4","voice-5","voice-6","voice-7","voice-8"];function Tg({data:e,channels:t,length:n}){let o=new Float32Array(n);for(let s=0;s<n;s++)for(let i=0;i<2*t;i++)o[s]=Math.max(o[s],Math.abs(e[s*2*t+i])/128);return o}function Hd(e,t,n,o){let s=Math.floor(t/Xo),i=new Float32Array(s),r=new Uint16Array(s);if(!e||e.length===0)return i;let a=Tg(e),c=e.samples_per_pixel/e.sample_rate;for(let f=0;f<a.length;f++){let u=Math.floor((e.from+f*c-n)/(o-n)*s);u<0||u>=s||(i[u]+=a[f],r[u]++)}for(let f=0;f<s;f++)i[f]/=r[f]||1;let p=Math.max(.2,...i);return i.map(f=>f/p)}function Mg(e,t,n,o){let[s,i]=E(null),[r,a]=E(!1);return z(()=>{if(o===0)return;let c=new AbortController,p=setTimeout(()=>{oe(`${e}/peaks?from=${t.toFixed(3)}&to=${n.toFixed(3)}&points=${Math.min(4e3,o)}`,{signal:c.signal}).then(i,f=>f.name!=="AbortError"&&a(!0))},s?150:0);return()=>{clearTimeout(p),c.abort()}},[e,t,n,o]),[s,r]}function Bd({path:e,playback:t,times:n,window:o,onZoom:s}){let i=j(null),r=j(null),[a,c]=E(0),p=F(t.at),f=F(It),[u,h]=Mg(e,o.from,o.to,Math.floor(a/Xo)*Sg),b=j(null),w=j(null);z(()=>{let x=new ResizeObserver(()=>c(Math.round(r.current.getBoundingClientRect().width)));return x.observe(r.current),()=>x.disconnect()},[]),z(()=>{b.current=cn("accent","line-control","text-3",...Oa),w.current=null},[f]),z(()=>{w.current=null},[u,a,o.from,o.to,n]),z(()=>{a===0||!b.current||(w.current??={heights:Hd(u,a,o.from,o.to),voices:Cg(n,a,o)},Eg(i.current,a,w.current,b.current,(p-o.from)/(o.to-o.from)))});let _=x=>{let{left:T}=r.current.getBoundingClientRect();t.seek(o.from+(x.clientX-T)/a*(o.to-o.from))},S=x=>{let T={ArrowLeft:-5,ArrowRight:5,ArrowDown:-5,ArrowUp:5,PageDown:-30,PageUp:30}[x.key],C=T!==void 0?p+T:{Home:0,End:t.duration}[x.key];C===void 0||x.shiftKey||(x.preventDefault(),t.seek(C))},k=x=>{if(!x.ctrlKey&&!x.metaKey)return;x.preventDefault();let{left:T}=r.current.getBoundingClientRect();s(x.deltaY>0?2:.5,o.from+(x.clientX-T)/a*(o.to-o.from))};return l`<div
    class="waveform"
    ref=${r}
    role="slider"
    tabindex="0"
    aria-label="Position in the recording"
    aria-valuemin="0"
    aria-valuemax=${Math.round(t.duration)}
    aria-valuenow=${Math.round(p)}
    aria-valuetext=${ie(p)}
    onPointerDown=${x=>{x.currentTarget.setPointerCapture(x.pointerId),_(x)}}
    onPointerMove=${x=>x.buttons===1&&_(x)}
    onKeyDown=${S}
    onWheel=${k}
  >
    <canvas ref=${i} aria-hidden="true"></canvas>
    ${h&&l`<p class="second dim">The waveform could not be made.</p>`}
  </div>`}function Cg(e,t,{from:n,to:o}){let s=Math.floor(t/Xo),i=(o-n)/s;return Int32Array.from({length:s},(r,a)=>{let c=n+a*i,p=po(e,c+i);return p>=0&&e.end[p]>=c?Is(e,p).n%Oa.length:-1})}function Eg(e,t,{heights:n,voices:o},s,i){let r=devicePixelRatio||1,a=e.clientHeight;e.width=t*r,e.height=a*r;let c=e.getContext("2d");c.scale(r,r);let p=a/2;if(n.forEach((u,h)=>{let b=o[h]>=0,w=u>.02?Math.max(1.2,u**.8*(p-2)):.8;c.globalAlpha=h*Xo<i*t?1:.42,c.fillStyle=b?s[Oa[o[h]]]:s["line-control"],c.beginPath(),c.roundRect(h*Xo,p-w,2,w*2,1),c.fill()}),c.globalAlpha=1,i<0||i>1)return;let f=Math.min(t-1,Math.max(1,i*t));c.fillStyle=s.accent,c.fillRect(f-1,0,2,a),c.beginPath(),c.arc(Math.min(t-4,Math.max(4,f)),4,4,0,7),c.fill()}var Wd=Promise.resolve();function Vd({path:e}){let t=j(null),[n,o]=E(null),s=F(It);return z(()=>{let i=new AbortController,r=new IntersectionObserver(([a])=>{if(!a.isIntersecting)return;r.disconnect();let c=()=>!i.signal.aborted&&oe(`${e}/peaks?points=480`,{signal:i.signal,quiet:!0}).then(o,()=>{});Wd=Wd.then(c,c)});return r.observe(t.current),()=>{r.disconnect(),i.abort()}},[e]),z(()=>{n&&Ag(t.current,Hd(n,60*Xo,0,n.duration),cn("text-3","line-control"))},[n,s]),l`<canvas class="small-waveform" ref=${t} aria-hidden="true"></canvas>`}function Ag(e,t,n){let o=devicePixelRatio||1,{clientWidth:s,clientHeight:i}=e;e.width=s*o,e.height=i*o;let r=e.getContext("2d");r.scale(o,o);let a=s/t.length;t.forEach((c,p)=>{let f=Math.max(.8,c**.8*(i/2-1));r.fillStyle=c>.02?n["text-3"]:n["line-control"],r.beginPath(),r.roundRect(p*a,i/2-f,Math.min(1.5,a-.5),f*2,1),r.fill()})}var Da=["queued","processing"];function Ud({item:e,text:t}){let n=e.kind==="live",o=n&&Da.includes(e.status),s=o?An(["sessions",e.id]):An(["records",e.id],{text:e.places?.count>0?t:""}),i=e.audio_duration>0;return l`<a class="record-row" href=${s}>
    <time class="at">${ht(e.created_at)}</time>
    <div class="body">
      <div class="title"><span>${zg(e)}</span><${Pg} item=${e} running=${o} /></div>
      <div class="said">${e.places?.count>0?l`<${Og} places=${e.places} text=${t} />`:Lg(e,o)}</div>
    </div>
    ${i&&!Da.includes(e.status)?l`<${Vd} path=${`v2/${n?"live":"pre-recorded"}/${e.id}`} />`:l`<span class="small-waveform"></span>`}
    <div class="meta"><span>${Dg(e)}</span><span>${Rg(e)}</span></div>
    <span class="duration num">${i?ie(e.audio_duration):"–"}</span>
  </a>`}function zg(e){if(e.title)return e.title;let t=e.first_words.split(" ");return e.first_words?t.length>7?`${t.slice(0,7).join(" ").replace(/[.,;:]$/,"")}…`:e.first_words:e.kind==="live"?"Session without words":"Recording without words"}function Lg(e,t){return e.first_words?e.first_words:t?"Still running: follow it.":Da.includes(e.status)?"The words come when the job is done.":e.status==="error"?e.error_message||`The server gave ${e.error_code}.`:e.audio_duration>0?`No words. Speech was looked for in ${nt(e.audio_duration)} and none was found.`:"No audio came."}function Pg({item:e,running:t}){let n=(o,s)=>l`<span class="tag"><i class=${`dot ${o}`}></i>${s}</span>`;return t?n("live","running"):e.status==="processing"?n("live",e.progress===null?"transcribing":`transcribing, ${Math.round(e.progress*100)} %`):e.status==="queued"?n("open","waits for its turn"):e.status==="error"?n("bad",e.kind==="live"?"ended early":"failed"):e.callbacks?.given_up>0?n("bad",`${me(e.callbacks.given_up,"callback")} given up`):e.callbacks?.waiting>0?n("warn",`${me(e.callbacks.waiting,"callback")} waiting`):null}function Og({places:e,text:t}){let n=e.text.toLowerCase().indexOf(t.toLowerCase()),[o,s,i]=n<0?[e.text,"",""]:[e.text.slice(0,n),e.text.slice(n,n+t.length),e.text.slice(n+t.length)];return l`<time>${ie(e.start)}</time> ${o}${s&&l`<mark class="hit">${s}</mark>`}${i}${e.count>1&&l`<span class="dim"> and ${e.count-1} more</span>`}`}function Dg(e){let t=e.languages.length>0?e.languages.slice(0,2).map(ue).join(", "):e.status==="done"?"no speech":"",n=e.speakers>1?me(e.speakers,"speaker"):e.number_of_channels>1?me(e.number_of_channels,"channel"):"";return[t,n].filter(Boolean).join(", ")}function Rg(e){let t={"wav/alaw":"a-law","wav/ulaw":"mu-law"}[e.encoding];return[e.kind==="live"?"live":"file",t,e.redacted&&"redacted"].filter(Boolean).join(", ")}var Gd=[{value:"live",label:"Live"},{value:"pre-recorded",label:"Files"}],Kd=[{value:"done",label:"Done"},{value:"processing",label:"Under way"},{value:"queued",label:"Waiting"},{value:"error",label:"Ended early"}],Yd=[{value:"today",label:"Today"},{value:"yesterday",label:"Yesterday"},{value:"week",label:"Last 7 days"},{value:"month",label:"Last 30 days"}],Ra=["time","kind","state","language","metadata"];function Ng(e,t=new Date){let n=s=>new Date(t.getFullYear(),t.getMonth(),t.getDate()-s),o=s=>new Date(s.getTime()-1).toISOString();return e==="today"?{after_date:o(n(0))}:e==="yesterday"?{after_date:o(n(1)),before_date:n(0).toISOString()}:{after_date:o(n(e==="week"?6:29))}}function Fg(e,t){let n=new URLSearchParams({limit:20});if(t&&n.set("text",t),e.time)for(let[o,s]of Object.entries(Ng(e.time)))n.set(o,s);if(e.kind&&n.set("kind",e.kind),e.state&&n.set("status",e.state),e.language&&n.set("language",e.language),e.metadata){let o=e.metadata.indexOf("=");n.set("custom_metadata",JSON.stringify({[e.metadata.slice(0,o)]:e.metadata.slice(o+1)}))}return n.toString()}function Jd({query:e}){let t=e.get("q")??"",n=Object.fromEntries(Ra.map(f=>[f,e.get(f)??""])),o=Ra.filter(f=>n[f]),s=Fg(n,t),i=Ig(s),r=Gg(()=>i.again()),a=f=>zn(["records"],{q:t,...n,...f},{replace:!0}),c=()=>a(Object.fromEntries(Ra.map(f=>[f,""]))),p=i.items?.length===0&&!i.next;return l`<main class="page" id="main" tabindex="-1">
    ${p&&!t&&o.length===0?l`<${Vg} sending=${r} />`:l`<h1 class="head">Records</h1>
          <${jg} text=${t} onText=${f=>a({q:f})} sending=${r} />
          <${qg} filters=${n} onChange=${a} found=${i} text=${t} />`}
    <${Kg} sending=${r} />
    ${i.problem?l`<${fe} kind="bad" box title="The records do not come." action=${l`<button type="button" class="button small" onClick=${i.again}>Try again</button>`}>${i.problem.message}. Nothing of them is lost by that.<//>`:l`<${Hg} items=${i.items??[]} text=${t} />`}
    ${p&&(t||o.length>0)&&l`<${Ug} text=${t} on=${o} filters=${n} onClear=${c} />`}
    ${i.next&&l`<${Bg} found=${i} searching=${!!(t||n.language)} />`}
  </main>`}function Ig(e){let[t,n]=E({items:null,next:null,until:null,problem:null}),[o,s]=E(!1),[i,r]=E(0);z(()=>{let p=new AbortController;return oe(`v2/records?${e}`,{signal:p.signal}).then(f=>n({items:f.items,next:f.next,until:f.searched_until,problem:null}),f=>f.name!=="AbortError"&&n(u=>({...u,problem:f}))),()=>p.abort()},[e,i]);let a=t.items?.some(p=>["queued","processing"].includes(p.status));return z(()=>{if(!a)return;let p=setInterval(()=>!document.hidden&&scrollY<innerHeight&&r(f=>f+1),4e3);return()=>clearInterval(p)},[a]),{...t,busy:o,more:async()=>{s(!0);try{let p=await oe("v2/records?"+t.next.split("?")[1]);n(f=>{let u=new Set(f.items.map(h=>h.id));return{items:[...f.items,...p.items.filter(h=>!u.has(h.id))],next:p.next,until:p.searched_until,problem:null}})}catch(p){n(f=>({...f,problem:p}))}s(!1)},again:()=>r(p=>p+1)}}function jg({text:e,onText:t,sending:n}){let[o,s]=E(e),i=j(null);return Se("/",()=>i.current.focus()),z(()=>s(e),[e]),z(()=>{let r=setTimeout(()=>o.trim()!==e&&t(o.trim()),350);return()=>clearTimeout(r)},[o]),l`<div class="finder">
    <label class="search">
      <${D} name="search" />
      <input
        class="input"
        type="search"
        ref=${i}
        aria-label="Search what was said, titles and ids"
        placeholder="Search what was said"
        maxlength="200"
        value=${o}
        onInput=${r=>s(r.target.value)}
        onKeyDown=${r=>r.key==="Enter"&&t(o.trim())}
      />
      ${!o&&l`<kbd class="wide">/</kbd>`}
    </label>
    <${Zd} sending=${n} />
  </div>`}function qg({filters:e,onChange:t,found:n,text:o}){let s=F(ft),r=[...new Set(s?.models.flatMap(c=>c.languages)??[])].map(c=>({value:c,label:ue(c)})).sort((c,p)=>c.label.localeCompare(p.label)),a=c=>p=>t({[c]:p});return l`<div class="filters-row" role="group" aria-label="Filters">
    <${Fs} label="Any time" value=${e.time} options=${Yd} onChange=${a("time")} />
    <${Fs} label="Live and files" value=${e.kind} options=${Gd} onChange=${a("kind")} />
    <${Fs} label="Any state" value=${e.state} options=${Kd} onChange=${a("state")} />
    ${(r.length>1||e.language)&&l`<${Fs} label="Language" value=${e.language} options=${r} onChange=${a("language")} />`}
    <${qd} value=${e.metadata} onChange=${a("metadata")} />
    <span class="grow"></span>
    <span class="dim second tally" role="status">${n.items&&Wg(n,o)}</span>
  </div>`}function Wg({items:e,next:t},n){let o=`${e.length}${t?"+":""} ${e.length===1&&!t?"record":"records"}`;if(!n)return e.length>0?o:"";let s=e.reduce((i,r)=>i+(r.places?.count??0),0);return`${s} ${s===1?"place":"places"} in ${o}`}function Hg({items:e,text:t}){let n=[];for(let o of e){let s=xt(o.created_at);n.at(-1)?.name===s?n.at(-1).items.push(o):n.push({name:s,items:[o]})}return n.map(({name:o,items:s})=>l`<section key=${o} aria-label=${o}>
      <h2 class="day">${o.charAt(0).toUpperCase()+o.slice(1)}</h2>
      ${s.map(i=>l`<${Ud} key=${i.id} item=${i} text=${t} />`)}
    </section>`)}function Bg({found:e,searching:t}){let n=e.until&&`${xt(e.until)}`;return l`<div class="more">
    <button type="button" class="button" disabled=${e.busy} onClick=${e.more}>${t?"Search older records":"Older records"}</button>
    ${t&&n&&l`<span class="dim second">Searched back to ${n}.</span>`}
  </div>`}function Vg({sending:e}){let t=l`<a class="button primary" href="#/talk"><${D} name="microphone" />Talk</a><${Zd} sending=${e} />`;return l`<${wt} page title="Nothing has been recorded yet." actions=${t}>
    What is said in a session is kept here when it ends: words, audio and what the add-ons found. Files can be handed in too.
  <//>`}function Ug({text:e,on:t,filters:n,onClear:o}){let s=t.map(a=>[...Yd,...Gd,...Kd].find(c=>c.value===n[a])?.label??(a==="language"?ue(n[a]):n[a])),i=t.length>0&&`${t.length===1?"One filter is on":`${t.length} filters are on`}: ${Fe(s.map(a=>a.toLowerCase()))}.`,r=e.length>4&&`The engine may also have heard another word: try part of it, “${e.slice(0,Math.ceil(e.length/2))}”.`;return l`<${wt}
    title=${e?`No record has “${e}” in it.`:"No record is like that."}
    actions=${t.length>0&&l`<button type="button" class="button" onClick=${o}>Remove the filters</button>`}
    >${i} ${r}<//
  >`}function Gg(e){let[t,n]=E({state:"",name:"",message:""});return{...t,send:async s=>{n({state:"sending",name:s.name,message:""});let i=new FormData;i.set("audio",s);try{let{audio_url:r}=await oe("v2/upload",{method:"POST",body:i});await oe("v2/pre-recorded",{method:"POST",json:{audio_url:r}}),n({state:"",name:"",message:""}),e()}catch(r){n({state:"failed",name:s.name,message:r.faults[0]??r.message})}},close:()=>n({state:"",name:"",message:""})}}function Zd({sending:e}){let t=j(null);if(!Fo("jobs"))return null;let n=o=>{let[s]=o.target.files;o.target.value="",s&&e.send(s)};return l`<button type="button" class="button transcribe" disabled=${e.state==="sending"} onClick=${()=>t.current.click()}>
      <${D} name="file" />Transcribe a file
    </button>
    <input type="file" accept="audio/*,video/*" hidden ref=${t} aria-label="File to transcribe" onChange=${n} />`}function Kg({sending:e}){return e.state==="sending"?l`<${fe} box icon="up" title=${`${e.name} is being sent.`}>It shows up here when all of it has come.<//>`:e.state==="failed"?l`<${fe} box kind="bad" title=${`${e.name} was not taken.`} action=${l`<button type="button" class="button small" onClick=${e.close}>Close</button>`}>${e.message}.<//>`:null}function pn({label:e,value:t,options:n,onChange:o,class:s="segments"}){return l`<div class=${s} role="tablist" aria-label=${e} onKeyDown=${i=>Wo(i,'[role="tab"]')}>
    ${n.map(i=>l`<button
        key=${i.value}
        type="button"
        role="tab"
        aria-selected=${i.value===t}
        tabindex=${i.value===t?0:-1}
        onClick=${()=>o(i.value)}
      >
        ${i.label}
      </button>`)}
  </div>`}var Yg=10;function Qt({label:e,value:t,options:n,onChange:o,icon:s,plain:i=!1,none:r="None",disabled:a=!1,class:c=""}){let[p,f]=E(!1),u=j(null),h=Array.isArray(t),b=n.filter(k=>h?t.includes(k.value):k.value===t),w=b.map(k=>k.label).join(", ")||r,_=()=>f(!1),S=k=>{if(h){o(t.includes(k)?t.filter(x=>x!==k):[...t,k]);return}_(),u.current.focus(),o(k)};return l`<button
      type="button"
      class=${`select ${i?"plain":""} ${c}`}
      ref=${u}
      aria-haspopup="listbox"
      aria-expanded=${p}
      aria-label=${`${e}: ${w}`}
      disabled=${a}
      onClick=${()=>f(!p)}
    >
      ${s&&l`<${D} name=${s} />`}<span class="text">${w}</span><${D} name="down" />
    </button>
    ${p&&l`<${Jg} anchor=${u} label=${e} options=${n} chosen=${b} many=${h} onPick=${S} onClose=${_} />`}`}function Jg({anchor:e,label:t,options:n,chosen:o,many:s,onPick:i,onClose:r}){let[a,c]=E(""),[p,f]=E(Math.max(0,n.indexOf(o[0]))),u=j(null),h=n.length>Yg,b=n.filter(k=>k.label.toLowerCase().includes(a.toLowerCase()));an(()=>(h?u.current.previousElementSibling.firstElementChild:u.current).focus(),[]),z(()=>u.current.querySelector(".at")?.scrollIntoView({block:"nearest"}),[p]);let w=k=>{let x={ArrowDown:1,ArrowUp:-1};if(k.key in x)f(Math.max(0,Math.min(b.length-1,p+x[k.key])));else if(k.key==="Enter"||k.key===" "&&!h)b[p]&&i(b[p].value);else if(k.key==="Tab")r();else return;k.key!=="Tab"&&k.preventDefault()},_=k=>`option-${k.value}`,S=b[p]&&_(b[p]);return l`<${bn} anchor=${e} width="anchor" onClose=${r}>
    <div onKeyDown=${w}>
      ${h&&l`<div class="find">
        <input
          class="input"
          type="text"
          placeholder="Find"
          aria-label=${`Find in ${t}`}
          role="combobox"
          aria-expanded="true"
          aria-controls="options-found"
          aria-activedescendant=${S}
          value=${a}
          onInput=${k=>{c(k.target.value),f(0)}}
        />
      </div>`}
      <div id="options-found" role="listbox" aria-label=${t} aria-multiselectable=${s} tabindex=${h?-1:0} aria-activedescendant=${S} ref=${u}>
        ${b.map((k,x)=>l`<div
            key=${k.value}
            id=${_(k)}
            role="option"
            class=${x===p?"at":""}
            aria-selected=${o.includes(k)}
            onPointerMove=${()=>f(x)}
            onClick=${()=>i(k.value)}
          >
            <span>${k.label}</span>${k.note&&l`<small>${k.note}</small>`}<${D} name="check" />
          </div>`)}
        ${b.length===0&&l`<p class="none">Nothing here has “${a}” in its name.</p>`}
      </div>
    </div>
  <//>`}var Zg=[{value:"3600",label:"in an hour"},{value:"28800",label:"in 8 hours"},{value:"86400",label:"in 24 hours"}],js=new Map;function es({session:e,languages:t=[],class:n="quiet small"}){let[o,s]=E(!1),i=j(null);return l`<button type="button" class=${`button ${n}`} ref=${i} aria-haspopup="dialog" aria-expanded=${o} onClick=${()=>s(!o)}>
      <${D} name="link" />Share
    </button>
    ${o&&l`<${bn} anchor=${i} align="end" width="min(400px, calc(100vw - 24px))" role="dialog" label="Captions for an audience" class="wide-body" onClose=${()=>s(!1)}>
      <${Xg} session=${e} languages=${t} />
    <//>`}`}function Qg(e,t){let n=`${e} ${t}`,[o,s]=E(js.get(n)),[i,r]=E(null),a=()=>oe(`v2/live/${e}/subscribers`,{method:"POST",json:{name:"captions",lifetime:Number(t),receive_partial_transcripts:!0}}).then(p=>{js.set(n,p),r(null),s(p)},r),c=()=>oe(`v2/tokens/${o.id}`,{method:"DELETE"}).then(()=>{js.delete(n),s(null)},r);return z(()=>{s(js.get(n)),js.has(n)||a()},[n]),{token:o,problem:i,make:a,withdraw:c}}function Xg({session:e,languages:t}){let[n,o]=E("86400"),[s,i]=E(""),{token:r,problem:a,make:c,withdraw:p}=Qg(e,n);if(a?.status===403)return l`<p class="mid">Links are made by whoever signed in with a key that may read. Yours may not: ${a.message}.</p>`;if(a)return l`<p class="mid">That did not work: ${a.message}.</p>`;if(r===null)return l`<div class="share-link">
      <h2>The link was withdrawn.</h2>
      <p>It leads nowhere any more. Whoever was reading along is cut off within two seconds.</p>
      <button type="button" class="button" onClick=${c}>Make another link</button>
    </div>`;let f=r&&tt+"console"+An(["share",e],{token:r.token,language:s}),u=[{value:"",label:"as it is spoken"},...t.map(h=>({value:h,label:ue(h)}))];return l`<div class="share-link">
    <h2>Captions for an audience</h2>
    <p>Whoever has the address reads along, in large type. They hear nothing and change nothing.</p>
    ${f?l`<${Pn} text=${f} />`:l`<div class="command"></div>`}
    <div class="two">
      ${t.length>0&&l`<div class="field"><span class="name" aria-hidden="true">Opens in</span><${Qt} label="Opens in" value=${s} options=${u} onChange=${i} /></div>`}
      <div class="field"><span class="name" aria-hidden="true">Ends</span><${Qt} label="Ends" value=${n} options=${Zg} onChange=${o} /></div>
    </div>
    <div class="row"><a class="button primary grow" href=${f} target="_blank" rel="noreferrer">Open</a><button type="button" class="button danger" disabled=${!r} onClick=${p}>Withdraw</button></div>
  </div>`}var e0=500;function Qd({path:e,text:t,onText:n,onGo:o}){let[s,i]=E(t),[r,a]=E(null),[c,p]=E(0);Se("/",()=>document.querySelector(".find-in-record input")?.focus()),z(()=>i(t),[t]),z(()=>{let h=setTimeout(()=>s!==t&&n(s),250);return()=>clearTimeout(h)},[s]),z(()=>{if(a(null),!t)return;let h=new AbortController;return oe(`${e}/utterances?words=false&limit=${e0}&text=${encodeURIComponent(t)}`,{signal:h.signal}).then(({total:b,items:w})=>{a({total:b,numbers:w.map(_=>_.number)}),p(0),w.length>0&&o(w[0].number)},()=>{}),()=>h.abort()},[e,t]);let f=h=>{if(!r?.numbers.length)return;let b=(c+h+r.numbers.length)%r.numbers.length;p(b),o(r.numbers[b])};return l`<div class="find-in-record">
    <label class="search">
      <${D} name="search" />
      <input
        class="input"
        type="search"
        aria-label="Find in this record"
        placeholder="Find in this record"
        maxlength="200"
        value=${s}
        onInput=${h=>i(h.target.value)}
        onKeyDown=${h=>{if(h.key==="Enter")f(h.shiftKey?-1:1);else if(h.key==="Escape"&&s)i("");else return;h.preventDefault()}}
      />
    </label>
    ${r&&l`<span class="row second mid" role="status">
      ${r.total===0?"nowhere":l`<span class="num">${c+1}</span> of <span class="num">${R(r.total)}</span>`}
      ${r.total>1&&l`<button type="button" class="button quiet small only" aria-label="Previous place" onClick=${()=>f(-1)}><${D} name="up" /></button>
        <button type="button" class="button quiet small only" aria-label="Next place" onClick=${()=>f(1)}><${D} name="down" /></button>`}
    </span>`}
  </div>`}var Ui=class{at=le(0);playing=le(!1);rate=le(1);trouble=le("");#e=0;constructor(t,n){this.duration=n,this.audio=new Audio,this.audio.preload="none",this.audio.src=t,this.audio.addEventListener("play",()=>this.#t(!0)),this.audio.addEventListener("pause",()=>this.#t(!1)),this.audio.addEventListener("ended",()=>this.#t(!1)),this.audio.addEventListener("seeked",()=>this.at.set(this.audio.currentTime)),this.audio.addEventListener("error",()=>this.trouble.set("This browser cannot play this recording. It can be downloaded."))}#t(t){this.playing.set(t),cancelAnimationFrame(this.#e);let n=()=>{this.at.set(this.audio.currentTime),this.#e=requestAnimationFrame(n)};t&&n()}async toggle(){this.playing.get()?this.audio.pause():await this.#n()}async#n(){let t=this.at.get()>=this.duration-.05?0:this.at.get();Math.abs(this.audio.currentTime-t)>.2&&(this.audio.currentTime=t);try{await this.audio.play()}catch(n){n.name!=="AbortError"&&!this.trouble.get()&&this.trouble.set("This recording does not play here. It can be downloaded.")}}seek(t){let n=Math.max(0,Math.min(this.duration,t));this.at.set(n),this.audio.currentTime=n}setRate(t){this.audio.playbackRate=t,this.rate.set(t)}close(){cancelAnimationFrame(this.#e),this.audio.pause(),this.audio.removeAttribute("src"),this.audio.load()}};var t0=8,n0=e=>`voice-${e%t0+1}`;function fn({n:e,name:t=`Speaker ${e+1}`}){return l`<span class=${`voice ${n0(e)}`}>${t}</span>`}var Na=[1,1.25,1.5,2,.75],Xd=8,Fa=5;function ep({path:e,playback:t,outline:n}){let o=n.utterances,[s,i]=E({from:0,to:t.duration}),r=F(t.playing),a=F(t.rate),c=F(t.trouble),p=Ft(()=>jn(o),[o]),f=(w,_)=>i(S=>o0(S,w,_,t.duration));s0(t,s,i);let u=j(null);z(()=>{let w=new ResizeObserver(()=>u.current.parentElement.style.setProperty("--player",`${u.current.offsetHeight}px`));return w.observe(u.current),()=>w.disconnect()},[]);let h=w=>{let _=po(o,t.at.get()),S=_+w;w<0&&t.at.get()-(o.start[_]??0)>1.5&&(S=_),S>=0&&S<o.start.length&&t.seek(o.start[S])};Se("Space",()=>t.toggle()),Se("ArrowLeft",()=>t.seek(t.at.get()-5)),Se("ArrowRight",()=>t.seek(t.at.get()+5)),Se("Shift+ArrowLeft",()=>h(-1)),Se("Shift+ArrowRight",()=>h(1));let b=s.to-s.from;return l`<div class="player" ref=${u}>
    <div>
      <${r0} chapters=${n.chapters} playback=${t} zoom=${s} />
      <${Bd} path=${e} playback=${t} times=${o} window=${s} onZoom=${f} />
      <div class="controls">
        <button type="button" class="button only play" aria-label=${r?"Pause":"Play"} onClick=${()=>t.toggle()}>
          <${D} name=${r?"pause":"play"} />
        </button>
        <${i0} playback=${t} />
        <button
          type="button"
          class="button quiet small num"
          aria-label=${`${a===1?"1.0":a}× speed`}
          onClick=${()=>t.setRate(Na[(Na.indexOf(a)+1)%Na.length])}
        >
          ${a===1?"1.0":a}×
        </button>
        <span class="row zoom">
          <button type="button" class="button quiet small only" aria-label="Zoom out" disabled=${b>=t.duration} onClick=${()=>f(2,t.at.get())}>
            <span aria-hidden="true">−</span>
          </button>
          <button type="button" class="button quiet small only" aria-label="Zoom in" disabled=${b<=Xd} onClick=${()=>f(.5,t.at.get())}>
            <${D} name="plus" />
          </button>
        </span>
        ${c&&l`<span class="second trouble">${c}</span>`}
        <span class="grow"></span>
        ${p.length>1&&l`<span class="row wide voices">
          ${p.slice(0,Fa).map(w=>l`<${fn} key=${w.name} n=${w.n} name=${w.name} />`)}
          ${p.length>Fa&&l`<span class="dim second">and ${p.length-Fa} more</span>`}
        </span>`}
        <span class="wide hints"><kbd>Space</kbd> <kbd>←</kbd> <kbd>→</kbd></span>
      </div>
    </div>
  </div>`}function o0({from:e,to:t},n,o,s){let i=Math.min(s,Math.max(Math.min(Xd,s),(t-e)*n)),r=(o-e)/(t-e),a=Math.min(s-i,Math.max(0,o-Math.min(1,Math.max(0,r))*i));return{from:a,to:a+i}}function s0(e,t,n){z(()=>e.at.watch(o=>{if(o>=t.from&&o<=t.to)return;let s=t.to-t.from,i=Math.min(e.duration-s,Math.max(0,o-s*.1));n({from:i,to:i+s})}),[e,t])}function i0({playback:e}){let t=F(e.at),n=ie(t,1);return l`<span class="position num">${n.slice(0,-2)}<small>${n.slice(-2)}</small> <small>/ ${ie(e.duration)}</small></span>`}function r0({chapters:e,playback:t,zoom:n}){let o=F(t.at);if(e.length===0)return null;let s=n.to-n.from,i=a=>Math.min(1,Math.max(0,(a-n.from)/s))*100,r=e.findLast(a=>a.start<=o+.01);return l`<div class="chapters wide">
    ${e.map((a,c)=>{let p=e[c+1]?.start??t.duration;return p<=n.from||a.start>=n.to?null:l`<button
        key=${a.start}
        type="button"
        title=${a.headline}
        aria-current=${a===r?"true":null}
        style=${{left:`${i(c===0?0:a.start)}%`,width:`${i(p)-i(c===0?0:a.start)}%`}}
        onClick=${()=>t.seek(a.start)}
      >
        ${a.headline}
      </button>`})}
  </div>`}var a0=12,l0=e=>e.replace(/^live\./,""),tp=e=>xt(e)==="today"?ht(e):`${xt(e)}, ${ht(e)}`;function op({path:e,asked:t}){let[n,o]=E(null),[s,i]=E(""),[r,a]=E(!1),c=u=>oe(`${e}/callbacks`,{signal:u}).then(({items:h})=>{o(h),i("")},h=>h.name!=="AbortError"&&i(h.message));if(pt(c,5,[e]),s&&!n)return l`<section><p class="mid">The log of the callbacks does not come: ${s}.</p></section>`;if(!n)return null;if(n.length===0)return l`<section>
      <p class="mid">${t?"All callbacks have arrived. Those that have are forgotten after a while.":"No callbacks were asked for. With callback_config in the request each message, or the result, is sent to an address."}</p>
    </section>`;let p=u=>oe(`${e}/callbacks/${u.id}/redeliver`,{method:"POST"}).then(()=>c(),h=>i(h.message)),f=r?n:n.slice(0,a0);return l`<section>
    <p class="mid">To <span class="mono label">${n[0].url}</span>, in order: what comes after waits for what is before.</p>
    <p class="tally">${c0(n)}</p>
    ${s&&l`<p class="danger-text second">${s}</p>`}
    <ol>${f.map((u,h)=>l`<${d0} key=${u.id} delivery=${u} before=${u0(n,h)} onAgain=${()=>p(u)} />`)}</ol>
    ${n.length>f.length&&l`<button type="button" class="button quiet small" onClick=${()=>a(!0)}>All ${R(n.length)}</button>`}
  </section>`}function c0(e){let t=r=>e.filter(a=>a.state===r).length,n=t("pending"),s=e.findLast(r=>r.state==="pending")?.attempts>0&&(n>1?`1 being tried, ${R(n-1)} behind it`:"1 being tried");return[t("sent")>0&&`${R(t("sent"))} delivered`,n>0&&(s||`${R(n)} waiting`),t("dead")>0&&`${R(t("dead"))} given up`].filter(Boolean).join(", ")+"."}var u0=(e,t)=>e.slice(t+1).find(n=>n.state==="pending");function d0({delivery:e,before:t,onAgain:n}){if(e.state==="sent"){let o=e.attempts===1?"once":`after ${me(e.attempts,"attempt")}${e.failure?`; before, ${e.failure}`:""}`;return l`<${Gi} icon="check" event=${e.event} said="delivered">${tp(e.created_at)}, ${o}<//>`}return e.state==="dead"?l`<${Gi} icon="warning" kind="bad" event=${e.event} said=${e.status||"given up"}>
      Given up after ${me(e.attempts,"attempt")}: ${e.failure||"no answer"}.<br />webhook-id <span class="mono">${e.id}</span>
      <${np} onAgain=${n} />
    <//>`:e.attempts===0||t?l`<${Gi} icon="more" event=${e.event} said="waits">${t?`behind ${l0(t.event)}`:"goes out next"}<//>`:l`<${Gi} icon="warning" kind="wait" event=${e.event} said=${e.status||"no answer"}>
    ${me(e.attempts,"attempt")} since ${tp(e.first_attempt_at)}: ${e.failure||"no answer"}. ${p0(e)}<br />webhook-id <span class="mono">${e.id}</span>
    ${e.next_attempt_at&&l`<${np} onAgain=${n} />`}
  <//>`}function p0({next_attempt_at:e,last_attempt_at:t}){if(!e)return"It is on its way now.";let n=(new Date(e)-Date.now())/1e3;return`${n<1?"It goes out now":`Next in ${nt(Math.round(n))}`}, the last ${f0(t)}.`}function f0(e){let t=ht(e),n=xt(e);return n==="today"?`at ${t}`:`${n} at ${t}`}var np=({onAgain:e})=>l`<button type="button" class="button small" onClick=${e}><${D} name="again" />Deliver now</button>`;function Gi({icon:e,kind:t="",event:n,said:o,children:s}){return l`<li class=${`delivery ${t}`}>
    <${D} name=${e} /><span class="mono label">${n}</span><span class="num">${o}</span><small>${s}</small>
  </li>`}var Ki=[{value:"summary",label:"Summary"},{value:"entities",label:"Entities"},{value:"callbacks",label:"Callbacks"},{value:"details",label:"Details"}];function sp({tab:e,outline:t,path:n,playback:o,size:s,onGo:i}){return e==="entities"?l`<${$0} outline=${t} playback=${o} onGo=${i} />`:e==="callbacks"?l`<${op} path=${n} asked=${!!t.job.request_params?.callback} />`:e==="details"?l`<${v0} outline=${t} size=${s} />`:l`<${m0} outline=${t} playback=${o} />`}function m0({outline:e,playback:t}){let{summary:n,chapters:o,answers:s,structured_data:i,failures:r}=e,a=!n&&o.length===0&&s.length===0&&!i&&r.length===0;return l`${r.map(c=>l`<section key=${c.addon} class="failure"><p><strong>${gi(c.addon)} failed.</strong> ${c.message}. The transcript is complete.</p></section>`)}
    ${n&&l`<section><p class="mid prose">${n}</p></section>`}
    ${o.length>0&&l`<${g0} chapters=${o} playback=${t} />`}
    ${s.map(c=>l`<section key=${c.prompt}><h3>${c.prompt}</h3><p class="mid prose">${c.response??"No answer."}</p></section>`)}
    ${i&&l`<section><h3>Structured data</h3><pre class="data" tabindex="0">${h0(i)}</pre></section>`}
    ${a&&l`<section><p class="mid">No summary was asked for. Summaries and chapters are options of a session, and of a recording that is handed in.</p></section>`}`}function h0(e){try{return JSON.stringify(JSON.parse(e),null,2)}catch{return e}}function g0({chapters:e,playback:t}){let n=F(t.at),o=e.findLast(s=>s.start<=n+.01);return l`<section class="chapter-list">
    ${e.map(s=>l`<button key=${s.start} type="button" aria-current=${s===o?"true":null} onClick=${()=>t.seek(s.start)}>
        <time>${ie(s.start)}</time><b>${s.headline}</b><span>${s.summary||s.gist}</span>
      </button>`)}
  </section>`}var Ia=30;function $0({outline:e,playback:t,onGo:n}){let o=new Map;for(let i of e.entities)o.set(i.entity_type,[...o.get(i.entity_type)??[],i]);let s=i=>{t.seek(i.start),i.utterance>=0&&n(i.utterance)};return l`<section>
    ${o.size===0&&l`<p class="mid">No entities were found, or none were asked for.</p>`}
    ${[...o].map(([i,r])=>l`<div class="entity-group" key=${i}>
        <h3><span>${i}</span><span>${R(r.length)}</span></h3>
        <ul>
          ${r.slice(0,Ia).map(a=>l`<li key=${a.start}><button type="button" onClick=${()=>s(a)}><span>${a.text}</span><time>${ie(a.start)}</time></button></li>`)}
        </ul>
        ${r.length>Ia&&l`<p class="dim label">and ${R(r.length-Ia)} more in the transcript</p>`}
      </div>`)}
    <${b0} outline=${e} onGo=${s} />
  </section>`}function b0({outline:e,onGo:t}){let n=e.sentiment_counts,o=Object.values(n).reduce((r,a)=>r+a,0);if(o===0)return null;let s=e.sentiments.find(r=>r.sentiment==="negative")??e.sentiments[0],i=["positive","negative","mixed"].filter(r=>n[r]>0).map(r=>`${R(n[r])} ${n[r]===1?"is":"are"} ${r}`);return l`<h3 class="moods">Sentiment</h3>
    <p class="mid prose">
      ${i.length===0?`All ${me(o,"sentence")} are neutral.`:`Of ${me(o,"sentence")} ${Fe(i)}.`}
      ${s&&l`${" "}The first ${s.sentiment} one is at${" "}
        <button type="button" class="inline" onClick=${()=>t(s)}><time>${ie(s.start)}</time></button>.`}
    </p>`}function v0({outline:e,size:t}){let{job:n}=e,o=n.request_params??{},s=jn(e.utterances),i=[o.sample_rate&&`${o.sample_rate/1e3} kHz`,o.bit_depth&&`${o.bit_depth} bit`,o.encoding&&o.encoding!=="wav/pcm"&&o.encoding,n.file?.number_of_channels&&me(n.file.number_of_channels,"channel"),t&&mi(t)],r=Object.entries(n.custom_metadata??{}),a=[["Id",l`<span class="mono label">${n.id}</span>`],["State",n.status+(n.error_code?`, ${n.error_code}: ${n.post_session_metadata?.error_message??""}`:"")],[n.kind==="live"?"Opened":"Handed in",new Date(n.created_at).toLocaleString("en-GB",{dateStyle:"long",timeStyle:"medium"})],["File",n.file?.filename],["Source",n.file?.source&&l`<span class="mono label">${n.file.source}</span>`],["Audio",[n.file?.audio_duration&&nt(n.file.audio_duration),...i].filter(Boolean).join(", ")],["Language",Fe(e.languages.map(ue))],["Model",o.model],["Warnings",n.warnings?.length&&l`<ul>${n.warnings.map(c=>l`<li>${c.message??c.field??String(c)}</li>`)}</ul>`],["Metadata",r.length>0&&l`<span class="mono label">${r.map(([c,p])=>l`${c}: ${typeof p=="string"?p:JSON.stringify(p)}<br />`)}</span>`]];return l`<section>
      <dl class="facts-list">${a.filter(([,c])=>c).map(([c,p])=>l`<dt>${c}</dt><dd>${p}</dd>`)}</dl>
    </section>
    ${s.length>1&&l`<section>
      <h3>Who spoke</h3>
      <dl class="facts-list">${s.map(c=>l`<dt><${fn} n=${c.n} name=${c.name} /></dt><dd class="num">${ie(c.seconds)}</dd>`)}</dl>
    </section>`}`}var w0=.7;function ip({word:e,now:t=!1,hit:n=!1,final:o=!0}){let s=o&&e.confidence>0&&e.confidence<w0,i=e.word.trim();return l`<span
    class=${`word${s?" low":""}${t?" now":""}`}
    data-start=${e.start}
    data-tip=${s?`confidence ${e.confidence.toFixed(2)}`:null}
    tabindex=${s?0:null}
    >${n?l`<mark class="hit">${i}</mark>`:i}</span
  >`}var rp=.011,ap=(e,t)=>t>0&&/^\s/.test(e.word)?" ":"";function x0(e,t){let n=[];return e.forEach((o,s)=>{let i=t.find(r=>o.start>=r.start-rp&&o.end<=r.end+rp);i&&n.at(-1)?.entity===i?n.at(-1).words.push([o,s]):n.push({entity:i,words:[[o,s]]})}),n}function Yi({utterance:e,state:t="final",turn:n=!1,voice:o=null,entities:s=[],mood:i,now:r,hits:a,id:c,children:p}){let f=t==="partial",u=({words:b})=>b.map(([w,_],S)=>l`${S>0&&ap(w,_)}<${ip} key=${`${_} ${w.word}`} word=${w} now=${r===_} hit=${a?.has(_)} final=${!f} />`),h=x0(e.words,f?[]:s).map(b=>l`${ap(...b.words[0])}${b.entity?l`<mark class="entity" key=${`e${b.words[0][1]}`} title=${b.entity.entity_type}>${u(b)}</mark>`:u(b)}`);return l`<li class=${`utterance ${t}${n?" turn":""}`} id=${c} aria-hidden=${f?"true":null} lang=${e.language}>
    <div class="aside">
      ${n&&o&&l`<${fn} ...${o} />`}<time>${f?"now":ie(e.start,1)}</time>
    </div>
    <p class="words">
      ${h}${f&&l`<span class="caret"></span>`}${i&&l`<span class="mood">${i}</span>`}${p}
    </p>
  </li>`}function lp({children:e}){return l`<li class="divider"><span>${e}</span></li>`}var cp=600,ja=class{constructor(t,n){this.count=t,this.heights=Float64Array.from({length:t},(o,s)=>n(s)),this.tops=new Float64Array(t+1),this.sum(0)}sum(t){for(let n=t;n<this.count;n++)this.tops[n+1]=this.tops[n]+this.heights[n]}measure(t){let n=this.count;for(let[o,s]of t)Math.abs(this.heights[o]-s)<.5||(this.heights[o]=s,n=Math.min(n,o));return this.sum(n),n<this.count}get total(){return this.tops[this.count]}at(t){let n=0,o=this.count-1;for(;n<o;){let s=n+o+1>>1;this.tops[s]<=t?n=s:o=s-1}return n}};function Ji({count:e,guess:t,draw:n,onShow:o,control:s,class:i="",label:r,top:a=0}){let c=j(null),p=j(null),f=j(null),[,u]=Ir(T=>T+1,0);(p.current?.count!==e||p.current.guess!==t)&&(p.current=new ja(e,t),p.current.guess=t);let h=p.current,b=c.current?c.current.getBoundingClientRect().top:0,w=h.at(Math.max(0,-b-cp)),_=h.at(Math.max(0,innerHeight-b+cp));z(()=>{let T=0,C=()=>{T||=requestAnimationFrame(()=>{T=0,u()})};return addEventListener("scroll",C,{passive:!0}),addEventListener("resize",C),()=>{cancelAnimationFrame(T),removeEventListener("scroll",C),removeEventListener("resize",C)}},[]),an(()=>{let T=[...c.current.children].map(Y=>[Number(Y.id.slice(Y.id.indexOf("-")+1)),Y.getBoundingClientRect().height]),C=h.at(Math.max(0,a-c.current.getBoundingClientRect().top)),H=h.tops[C],O=h.measure(T);f.current?k():O&&h.tops[C]!==H&&c.current.getBoundingClientRect().top<0&&scrollBy(0,h.tops[C]-H),O&&u()}),z(()=>o?.(w,Math.min(_,e-1)),[w,_,e,o]);let S=T=>c.current.getBoundingClientRect().top+h.tops[T],k=()=>{let{n:T}=f.current,C=S(T)-(a+(innerHeight-a)/3);if(Math.abs(C)<1||--f.current.tries<0){f.current=null;return}let H=scrollY;scrollBy({top:C,behavior:"instant"}),Math.abs(scrollY-H)<1?f.current=null:u()};s&&(s.current={show(T){f.current={n:T,tries:6},k()},isSeen:T=>S(T)>=a&&S(T)+h.heights[T]<=innerHeight-40});let x=[];for(let T=w;T<=_&&T<e;T++)x.push(n(T));return l`<ol class=${`virtual ${i}`} ref=${c} aria-label=${r} style=${{height:`${h.total}px`,paddingTop:`${h.tops[Math.min(w,e)]}px`}}>
    ${x}
  </ol>`}function y0(e,t){let n=innerWidth<=720,o=n?34:t?44:68;return s=>(n&&Pa(e,s)?30:0)+14+Math.ceil(e.characters[s]/o)*(t?26:29)*(n&&t?2:1)}function _0(e,t){let[n,o]=E(()=>po(t,e.at.get()));return z(()=>e.at.watch(s=>o(po(t,s))),[e,t]),n}function k0(e,t,n){let[o,s]=E(null);return z(()=>{if(!n||!t){s(null);return}let i=r=>s(r>0?t.words.findLastIndex(a=>a.start<=r+.01&&r<=a.end+.6):null);return i(e.at.get()),e.at.watch(i)},[e,t,n]),o}function S0(e,t){if(!t)return null;let n=t.toLowerCase(),o=new Set,s="",i=e.words.map(r=>(s+=r.word.toLowerCase()).length);for(let r=s.indexOf(n);r>=0;r=s.indexOf(n,r+1))i.forEach((a,c)=>{(c===0?0:i[c-1])<r+n.length&&a>r&&o.add(c)});return o}var T0=e=>[e[0]?.sentiment,e[0]?.emotion].filter(t=>t&&t!=="neutral"&&t!=="unknown").join(", "),M0=["item","isNow","find","target","named"],qa=class extends En{shouldComponentUpdate(t){return M0.some(n=>t[n]!==this.props[n])}render(t){return t.target===void 0?l`<${C0} ...${t} />`:l`<${E0} ...${t} />`}},up=({n:e,times:t,named:n})=>n?Is(t,e):null,dp=({n:e,times:t,named:n})=>e===0||n&&Pa(t,e);function C0(e){let{n:t,item:n,times:o,find:s,isNow:i,playback:r}=e,a=k0(r,n?.utterance,i),c=n?.utterance??{start:o.start[t],end:o.end[t],words:[],text:""};return l`<${Yi}
    id=${`u-${t}`}
    utterance=${c}
    turn=${dp(e)}
    voice=${up(e)}
    entities=${n?.entities}
    mood=${n&&T0(n.sentiments)}
    now=${a??-1}
    hits=${n&&S0(c,s)}
  />`}function E0(e){let{n:t,item:n,times:o,target:s,isNow:i}=e,r=dp(e),a=up(e),c=n?.translations?.[s];return l`<li class=${`pair${r?" turn":""}${i?" now":""}`} id=${`u-${t}`}>
    <div class="aside">${r&&a&&l`<${fn} ...${a} />`}<time>${ie(o.start[t],1)}</time></div>
    <p class="words" lang=${n?.utterance.language} data-start=${o.start[t]}>${n?.utterance.text.trim()}</p>
    ${n&&(c===void 0?l`<p class="words none">Not translated.</p>`:l`<p class="words translated" lang=${s} data-start=${o.start[t]}>${c}</p>`)}
  </li>`}function pp({pages:e,times:t,playback:n,find:o,target:s,heard:i,control:r}){F(e.version);let a=_0(n,t),c=F(n.playing),p=Ft(()=>y0(t,s!==void 0),[t,s]),f=pc((S,k)=>e.want(S,k),[e]),u=Ft(()=>jn(t).length>1,[t]),h=j(a),b=Wa();z(()=>{let S=h.current;h.current=a,c&&a!==S&&a>=0&&(r.current.isSeen(S)||S<0)&&!r.current.isSeen(a)&&r.current.show(a)},[a,c]);let w=S=>{let k=S.target.closest("[data-start]");k&&!getSelection().toString()&&n.seek(Number(k.dataset.start))},_=S=>l`<${qa}
    key=${S}
    n=${S}
    item=${e.get(S)}
    times=${t}
    named=${u}
    isNow=${S===a}
    playback=${n}
    find=${o}
    target=${s}
  />`;return l`${s!==void 0&&l`<div class="pair heads wide"><span></span><p>${i?`${ue(i)}, as heard`:"As heard"}</p><p>${ue(s)}</p></div>`}
    <div onClick=${w}>
      <${Ji}
        class=${s===void 0?"transcript seeks":"pairs seeks"}
        label=${s===void 0?"Transcript":`Translation to ${ue(s)}`}
        count=${t.start.length}
        guess=${p}
        draw=${_}
        onShow=${f}
        control=${r}
        top=${b}
      />
    </div>`}function Wa(){let e=document.querySelector(".player");return e?(document.querySelector(".top")?.offsetHeight??0)+e.offsetHeight:0}var Ha=20,A0=e=>e.split(":").reduce((t,n)=>t*60+Number(n),0);function z0(e){return e.split(/\r?\n\r?\n/).map(t=>{let n=t.split(/\r?\n/),o=n.findIndex(r=>r.includes(" --> "));if(o<0)return null;let[s,i]=n[o].split(" --> ").map(r=>A0(r.trim().split(" ")[0]));return{start:s,end:i,rows:n.slice(o+1).map(r=>r.replace(/<[^>]*>/g,""))}}).filter(Boolean)}var Ba=({start:e,end:t,rows:n})=>Math.round(n.join(" ").length/Math.max(.1,t-e)),L0=(e,t)=>{let n=e.findLastIndex(o=>o.start<=t+.01);return n>=0&&e[n].end>=t?n:-1};function fp({path:e,playback:t}){let[n,o]=E(null),[s,i]=E(""),[r,a]=E(-1),c=j(null);z(()=>{let w=new AbortController;return Ro(`${e}/transcript?format=vtt`,{signal:w.signal}).then(async _=>o(z0(await _.text())),_=>_.name!=="AbortError"&&i(_.message)),()=>w.abort()},[e]),z(()=>{if(!n)return;let w=_=>a(L0(n,_));return w(t.at.get()),t.at.watch(w)},[n,t]);let p=Ft(()=>w=>41+20*(n?.[w].rows.length??1),[n]);if(s)return l`<p class="pad-text mid">There are no subtitles: ${s}.</p>`;if(!n)return null;if(n.length===0)return l`<p class="pad-text mid">Nothing was said, so there is nothing to show.</p>`;let f=Math.max(...n.map(w=>w.rows.length)),u=Math.max(...n.flatMap(w=>w.rows.map(_=>_.length))),h=n.filter(w=>Ba(w)>Ha).length,b=w=>l`<li class="cue" key=${w} id=${`c-${w}`} aria-current=${w===r?"true":null}>
    <button type="button" onClick=${()=>t.seek(n[w].start)}>
      <span class="num">${w+1}</span>
      <span class="num times">${ie(n[w].start,2)} → ${ie(n[w].end,2)}</span>
      <span class=${`num speed${Ba(n[w])>Ha?" over":""}`} title="characters a second">${Ba(n[w])}/s</span>
      <span class="rows">${n[w].rows.map(_=>l`<span>${_}</span>`)}</span>
    </button>
  </li>`;return l`<div class="subtitles">
    <figure>
      <div class="frame">${r>=0&&l`<p>${n[r].rows.map(w=>l`<span>${w}</span>`)}</p>`}</div>
      <figcaption class="hint">
        As a player would show them. At most ${f} ${f===1?"row":"rows"} of ${u} characters.${" "}
        ${h>0?`${h} of ${n.length} run faster than ${Ha} characters a second.`:"All can be read in their time."}
      </figcaption>
    </figure>
    <${Ji} class="cues" label="Subtitles" count=${n.length} guess=${p} draw=${b} control=${c} top=${Wa()} />
  </div>`}var fo=100,P0=30,Zi=class{version=le(0);#e=new Map;constructor(t){this.path=t}get(t){return this.#e.get(Math.floor(t/fo))?.items?.[t%fo]}want(t,n){for(let o=Math.floor(t/fo);o<=Math.floor(n/fo);o++)this.#t(o)}async of(t){return await this.#t(Math.floor(t/fo)),this.get(t)}#t(t){let n=this.#e.get(t);if(n)return this.#e.delete(t),this.#e.set(t,n),n.coming;let o={items:null,coming:null};this.#e.set(t,o),o.coming=oe(`${this.path}/utterances?offset=${t*fo}&limit=${fo}`).then(({items:s})=>{o.items=s,this.version.set(this.version.get()+1)},()=>this.#e.delete(t));for(let s of this.#e.keys()){if(this.#e.size<=P0)break;this.#e.delete(s)}return o.coming}};var qs=["queued","processing"];async function mp(e,t){let n=`v2/live/${encodeURIComponent(e)}`;try{return{path:n,outline:await oe(`${n}/outline`,{signal:t})}}catch(o){if(o.status!==404)throw o;let s=n.replace("live","pre-recorded");return{path:s,outline:await oe(`${s}/outline`,{signal:t})}}}function hp({id:e,query:t}){let[n,o]=E(null),[s,i]=E(null),[r,a]=E(0);z(()=>{let p=new AbortController;return o(null),i(null),mp(e,p.signal).then(o,f=>f.name!=="AbortError"&&i(f)),()=>p.abort()},[e,r]);let c=n&&qs.includes(n.outline.job.status);return z(()=>{if(!c)return;let p=setTimeout(()=>mp(e).then(o,i),3e3);return()=>clearTimeout(p)},[n,c]),s?l`<${O0} problem=${s} onAgain=${()=>a(r+1)} />`:n?l`<${R0} key=${c?"waits":n.path} ...${n} query=${t} />`:l`<main id="main" tabindex="-1"></main>`}function O0({problem:e,onAgain:t}){let n=e.status===404,o=l`${!n&&l`<button type="button" class="button primary" onClick=${t}>Try again</button>`}<a class="button" href="#/records">All records</a>`;return l`<main class="page" id="main" tabindex="-1">
    <${wt} page title=${n?"There is no such record.":"The record does not come."} actions=${o}>
      ${n?"It may have been deleted, or it belongs to another key.":`${e.message}. Nothing of it is lost by that.`}
    <//>
  </main>`}function D0({job:e,title:t}){let n=t||(e.kind==="live"?`Session of ${xt(e.created_at)}, ${ht(e.created_at)}`:"Recording");return z(()=>{document.title=`${n} · steno`},[n]),n}function R0({path:e,outline:t,query:n}){let{job:o}=t,s=t.utterances,i=D0(t),r=Math.max(o.file?.audio_duration??0,s.end.at(-1)??0),a=Ft(()=>new Ui(`${tt}${e}/file`,r),[e,r]),c=Ft(()=>new Zi(e),[e]),p=j(null),[f,u]=E(n.get("text")??""),[h,b]=E("transcript"),[w,_]=E("summary"),S=j0(e,r);z(()=>()=>a.close(),[a]),z(()=>{let H=Number(n.get("at"));!(H>0)||f||(a.seek(H),p.current?.show(Math.max(0,s.start.findLastIndex(O=>O<=H+.01))))},[]);let k=H=>p.current?.show(H),x=N0(t),T=h.startsWith("to-")?h.slice(3):void 0,C=Ki.some(H=>H.value===h)?h:null;return l`<main class="record" id="main" tabindex="-1">
    <${q0} path=${e} outline=${t} title=${i} duration=${r} size=${S} />
    <${B0} outline=${t} />
    ${r>0&&l`<${ep} path=${e} playback=${a} outline=${t} />`}
    <div class=${`record-body${C?" on-rail":""}`}>
      <div class="record-text">
        <div class="record-tools">
          <${pn} label="View" value=${h} options=${x} onChange=${b} class="segments wide" />
          <${pn} label="View" value=${h} options=${[...x,...Ki]} onChange=${b} class="segments narrow" />
          ${h==="transcript"&&s.start.length>0&&l`<${Qd} path=${e} text=${f} onText=${u} onGo=${k} />`}
        </div>
        ${!C&&l`<${F0} view=${h} target=${T} path=${e} outline=${t} pages=${c} playback=${a} find=${f} control=${p} />`}
      </div>
      <aside class="rail" aria-label="About this record">
        <${pn} class="tabs wide" label="About this record" value=${w} options=${Ki} onChange=${_} />
        <${sp} tab=${C??w} outline=${t} path=${e} playback=${a} size=${S} onGo=${k} />
      </aside>
    </div>
  </main>`}var N0=({translations:e})=>[{value:"transcript",label:"Transcript"},...e.map(t=>({value:`to-${t}`,label:ue(t)})),{value:"subtitles",label:"Subtitles"}];function F0({view:e,target:t,path:n,outline:o,pages:s,playback:i,find:r,control:a}){let c=o.utterances;return c.start.length===0?l`<p class="pad-text mid">${I0(o)}</p>`:e==="subtitles"?l`<${fp} path=${n} playback=${i} />`:l`<${pp} key=${e} pages=${s} times=${c} playback=${i} find=${r} target=${t} heard=${o.languages[0]} control=${a} />`}function I0({job:e}){if(qs.includes(e.status))return"The words come when the job is done.";let t=e.file?.audio_duration;return t?`No words. Speech was looked for in ${nt(t)} and none was found.`:"No audio came, so there are no words."}function j0(e,t){let[n,o]=E(0);return z(()=>{if(!(t>0))return;let s=new AbortController;return fetch(`${tt}${e}/file`,{headers:{range:"bytes=0-0"},signal:s.signal}).then(i=>o(Number(i.headers.get("content-range")?.split("/")[1])||0)).catch(()=>{}),()=>s.abort()},[e,t]),n}function q0({path:e,outline:t,title:n,duration:o,size:s}){let{job:i}=t,r=jn(t.utterances),a=r.length>1&&me(r.length,r[0].name.startsWith("Channel")?"channel":"speaker"),c=[`${xt(i.created_at)}, ${ht(i.created_at)}`,o>0&&l`<span class="num">${ie(o)}</span>`];return c.push(t.languages.map(ue).join(", "),a,i.kind==="live"?"live":"file",i.request_params?.model),l`<header class="record-head">
    <a class="crumb" href="#/records"><${D} name="left" />Records</a>
    <div>
      <h1 class="head">${n}</h1>
      <p class="facts">${c.filter(Boolean).map((p,f)=>l`<span key=${f}>${f===0?p.charAt(0).toUpperCase()+p.slice(1):p}</span>`)}</p>
    </div>
    <div class="actions">
      ${i.kind==="live"&&l`<${es} session=${i.id} languages=${to(i.request_params)} class="" />`}
      <${W0} path=${e} job=${i} size=${s} />
      <${H0} path=${e} title=${n} duration=${o} running=${qs.includes(i.status)} />
    </div>
  </header>`}function W0({path:e,job:t,size:n}){let o=!qs.includes(t.status),s=c=>`${tt}${e}/${c}`,i=t.kind==="live"?"wav":t.file?.filename?.match(/\.(\w{1,8})$/)?.[1]??"audio",r=[{label:"Text, by speakers",note:".txt",href:s("transcript?format=txt"),download:`${t.id}.txt`},{label:"Subtitles",note:".srt",href:s("transcript?format=srt"),download:`${t.id}.srt`},{label:"Web subtitles",note:".vtt",href:s("transcript?format=vtt"),download:`${t.id}.vtt`}],a=[...o?r:[],{label:"Everything",note:".json",href:`${tt}${e}`,download:`${t.id}.json`},...n>0?[null,{label:"Audio, as it was sent",note:`.${i} ${mi(n)}`,href:s("file"),download:`${t.id}.${i}`}]:[]];return l`<${Ci} label="Download" icon="download" items=${a} />`}function H0({path:e,title:t,duration:n,running:o}){let[s,i]=E(!1),[r,a]=E(""),p=l`<button type="button" class="button" autofocus onClick=${()=>i(!1)}>Keep</button>
    <button type="button" class="button danger solid" onClick=${()=>oe(e+(o?"?cancel=true":""),{method:"DELETE"}).then(()=>zn(["records"]),f=>a(f.status===403?"This key may not delete records.":f.message))}>Delete</button>`;return l`<button type="button" class="button only quiet danger" aria-label="Delete this record" onClick=${()=>i(!0)}><${D} name="trash" /></button>
    ${s&&l`<${un} title=${`Delete “${t}”?`} actions=${p} onClose=${()=>i(!1)}>
      <p>
        The words${n>0&&`, ${nt(n)} of audio`} and everything that was found in them go at once and for good. Callbacks that have not
        been delivered are not sent.
      </p>
      ${r&&l`<p class="danger-text">${r}</p>`}
    <//>`}`}function B0({outline:e}){let{job:t}=e;if(qs.includes(t.status)){let n=t.kind==="live",o=n&&l`<a class="button small" href=${`#/sessions/${t.id}`}>Follow it</a>`,s=e.progress===null?"":`${Math.round(e.progress*100)} % of it is heard. `,i=n?"This session is running.":t.status==="queued"?"This recording waits for its turn.":"This recording is being transcribed.";return l`<${fe} icon="records" title=${i} action=${o}>
      ${n?"Its record is complete when it has ended.":`${s}This page shows the words as soon as they are there.`}
    <//>`}return t.status==="error"?l`<${fe} kind="bad" title=${t.kind==="live"?"This session ended early.":"This recording could not be transcribed."}>
      ${t.post_session_metadata?.error_message||`The server gave ${t.error_code}.`} ${e.utterances.start.length>0&&"What came before is here."}
    <//>`:null}function gp({rest:e,query:t}){return e.length>0?l`<${hp} key=${e[0]} id=${e[0]} query=${t} />`:l`<${Jd} query=${t} />`}var V0=48;function $p({capacity:e,heard:t,limit:n}){let o=Math.max(t,Math.round(e.speaking)),s=Math.max(0,Math.round(e.held)-(o-Math.round(e.speaking))),i=e.room===null?null:Math.floor(e.room),r=o+s+(i??0),a=`${o} speaking, ${s} held for new sessions, ${i===null?"no bound known":`${i} free`}`;return l`<div class="gauge">
    ${r>0&&(r<=V0?l`<${U0} speaking=${o} held=${s} room=${i??0} said=${a} />`:l`<${G0} speaking=${o} held=${s} total=${r} said=${a} />`)}
    <div class="legend">
      <span><s class="on"></s><b>${R(o)}</b> speaking</span>
      <span><s class="held"></s><b>${R(s)}</b> held for new sessions</span>
      <span>${i===null?"no bound on voices":l`<s></s>room for <b>${R(i)}</b> more voices`}</span>
      ${n&&l`<span class="of wide"><b>${R(e.sessions.here)}</b> ${e.sessions.here===1?"session":"sessions"} of at most ${R(n)}</span>`}
    </div>
  </div>`}function U0({speaking:e,held:t,room:n,said:o}){let s=[...Array(e).fill("on"),...Array(t).fill("held"),...Array(n).fill("")];return l`<div class="ticks" role="img" aria-label=${o}>${s.map((i,r)=>l`<i key=${r} class=${i}></i>`)}</div>`}function G0({speaking:e,held:t,total:n,said:o}){return l`<div class="voices-bar" role="img" aria-label=${o}>
    <i class="on" style=${{width:`${e/n*100}%`}}></i><i class="held" style=${{width:`${t/n*100}%`}}></i>
  </div>`}var Va=-60,bp=e=>`${Math.round(Math.max(0,Math.min(1,1-e/Va))*100)}%`;function Qi({level:e,peak:t=e,state:n="speaking",label:o="Level"}){let s=Math.round(Math.max(Va,Math.min(0,e)));return l`<div
    class=${`meter ${n}`}
    role="meter"
    aria-label=${o}
    aria-valuemin=${Va}
    aria-valuemax="0"
    aria-valuenow=${s}
    aria-valuetext=${n==="clipping"?"too loud":`minus ${-s} decibels`}
    style=${{"--level":bp(e),"--peak":bp(t)}}
  >
    <i></i><b></b>
  </div>`}var K0={"wav/pcm":"","wav/alaw":"a-law","wav/ulaw":"mu-law"},Y0=e=>e>0?20*Math.log10(e):-60,Ua=e=>e.title||`Session ${e.id.slice(0,8)}`,Ga=e=>[`${e.sample_rate/1e3} kHz`,K0[e.encoding]??e.encoding,e.channels>1&&me(e.channels,"channel")].filter(Boolean).join(", ");function Ka(e){return e.state==="lost"?["warn",`lost, ${Math.ceil(e.seconds_left??0)} s left`]:e.state==="ended"?["","finishing"]:e.state==="waiting"?["","just opened"]:e.state==="elsewhere"?["","on another node"]:e.speaking?["on","speaking"]:e.quiet!==null?["",e.quiet<60?`silent ${Math.round(e.quiet)} s`:`silent ${Math.round(e.quiet/60)} min`]:["",e.final?"silent":"listening"]}function vp({session:e}){let[t,n]=Ka(e),o=Y0(e.level??0);return l`<a class="session-row" href=${`#/sessions/${e.id}`}>
    <span class="level"><${Qi} level=${o} state=${e.speaking?"speaking":"off"} /><span class=${`doing ${t}`}>${n}</span></span>
    <span class=${`last ${e.final||e.partial?"":"none"}`}>
      ${e.final||e.partial?l`${e.final} <span class="pale">${e.partial}</span>`:e.state==="elsewhere"?"Its words are on another node: follow it.":"Nothing said yet"}
    </span>
    <span class="who"><b>${Ua(e)}</b><span>${Ga(e)}</span></span>
    <span class="figure age"><span class="num">${ie(e.age)}</span><small>${e.languages.length>0?e.languages.slice(0,2).map(ue).join(", "):"any language"}</small></span>
    <span class="figure late"><span class="num">${e.final_delay?l`${Math.round(e.final_delay*1e3)}<small>ms</small>`:"–"}</span><small>final p95</small></span>
    <${D} name="right" />
  </a>`}var J0=new Intl.DateTimeFormat("en-GB",{timeStyle:"medium"});function Ya({refused:e}){return l`<section>
    <div class="section"><h2>Refused in the last hour</h2><span class="dim second">${e.length>0?R(e.length):"none"}</span></div>
    ${e.length>0&&l`<div class="table-box" tabindex="0" role="region" aria-label="Refused in the last hour">
      <table>
        <thead>
          <tr><th>When</th><th>Why</th><th>Key</th><th class="right">Wait</th></tr>
        </thead>
        <tbody>
          ${e.slice(0,8).map(t=>l`<tr key=${t.at}>
              <td class="num">${J0.format(new Date(t.at))}</td>
              <td class="why" title=${t.message}><span class="num">${t.status}</span> ${t.status===429?"limit of the key":"no room"}</td>
              <td>${t.key||l`<span class="dim">unnamed</span>`}</td>
              <td class="num right">${t.retry_after?nt(Math.ceil(t.retry_after)):"–"}</td>
            </tr>`)}
        </tbody>
      </table>
    </div>`}
  </section>`}var Z0={nothing:"",recordings:"recordings pause",partials:"partials are thinned out",sessions:"new sessions are refused"};function Ja({nodes:e,capacity:t}){let n=e&&e.items.length>0;return l`<section>
    <div class="section">
      <h2>Machines</h2>
      <span class="dim second">${n?me(e.items.length,"gateway"):"this one"}${e&&`, the store answers in ${(e.store.answer*1e3).toFixed(1)} ms`}</span>
    </div>
    <div class="table-box" tabindex="0" role="region" aria-label="Machines">
      <table>
        <thead>
          <tr><th>Node</th><th class="right">Sessions</th><th>Lease</th></tr>
        </thead>
        <tbody>
          ${(n?e.items:[{name:"this gateway",here:!0}]).map(o=>l`<tr key=${o.name}>
              <td>${o.name.split("/")[0]} ${o.here&&n&&l`<span class="dim">(this)</span>`}</td>
              <td class="num right">${o.here?R(t.sessions.here):e.items.length===2?R(t.sessions.elsewhere):"–"}</td>
              <td class="num">${o.until?`${Math.max(0,Math.round((new Date(o.until)-Date.now())/1e3))} s`:"–"}</td>
            </tr>`)}
        </tbody>
      </table>
    </div>
    ${t.engines.length>0&&l`<div class="table-box" tabindex="0" role="region" aria-label="Engines">
      <table>
        <thead>
          <tr><th>Engine</th><th class="right">Carries</th><th class="right">Free</th><th class="right">Load</th><th class="right">A voice</th></tr>
        </thead>
        <tbody>
          ${t.engines.map(o=>l`<tr key=${o.name}>
              <td>${o.name} <span class="dim">${Z0[o.degraded]}</span></td>
              <td class="num right">${o.capacity===null?"–":Math.floor(o.capacity)}</td>
              <td class="num right">${o.room===null?"–":Math.floor(o.room)}</td>
              <td class="num right">${Math.round(o.load*100)} %</td>
              <td class="num right">${o.final_cost.toFixed(2)}×</td>
            </tr>`)}
        </tbody>
      </table>
    </div>`}
  </section>`}var Q0=["Nobody","One","Two","Three","Four","Five","Six","Seven","Eight","Nine","Ten","Eleven","Twelve"],wp=e=>Q0[e]??String(e);function yp(){let[e,t]=E(null),[n,o]=E(null),[s,i]=E("all");return pt(async r=>{try{let[a,c,p]=await Promise.all([oe("v2/sessions",{signal:r}),oe("v2/capacity",{signal:r}),Fo("admin")?oe("v2/nodes",{signal:r}):null]);$s.set(a.items.length),t({sessions:a,capacity:c,nodes:p}),o(null)}catch(a){a.name!=="AbortError"&&o(a)}},1),e?l`<${X0} problem=${n} capacity=${e.capacity} />
    <main class="page" id="main" tabindex="-1"><${e$} ...${e} filter=${s} onFilter=${i} /></main>`:l`<main class="page" id="main" tabindex="-1">${n&&l`<${wt} page title="The sessions do not come.">${n.message}. Those that run are not touched by that.<//>`}</main>`}function X0({problem:e,capacity:t}){let n=ui(F(ft));if(e)return l`<${fe} kind="warn" icon="unplugged" title="steno does not answer.">What is shown is from before. This page tries every second.<//>`;if(t.room===0||t.room!==null&&t.room<1)return l`<${fe} kind="warn" title="Full.">New sessions are refused with 503 until somebody stops speaking. Those that run are not touched.<//>`;if(n?.is==="none")return l`<${fe} kind="bad" icon="unplugged" title="No engine answers at the moment.">Audio is kept, words come late. New sessions are refused.<//>`;if(n)return l`<${fe} kind="warn" icon="unplugged" title=${`Engine ${n.away} is away.`}>${Xn(n.by)} stands in, so expect more wrong words.<//>`;let o=t.engines.find(s=>s.degraded==="partials"||s.degraded==="sessions");return o?l`<${fe} kind="warn" title=${`${o.name} is busy.`}>Partials are thinned out, so that finals come in time. No words are lost.<//>`:null}function e$({sessions:e,capacity:t,nodes:n,filter:o,onFilter:s}){let{items:i}=e,r=i.filter(f=>f.speaking),a=i.filter(f=>f.state==="lost");if(i.length===0)return l`<${o$} capacity=${t} nodes=${n} />`;let c={all:i,speaking:r,trouble:a}[o],p=[["all","All"],["speaking","Speaking"],["trouble","In trouble"]];return l`<h1 class="head">${n$(r.length,i.length,t,e.more)}</h1>
    ${t.sessions&&l`<${$p} capacity=${t} heard=${r.length} limit=${n?.sessions.limit} />`}
    <div class="section">
      <h2>Running now</h2>
      <span class="dim second grow wide">Newest words first</span>
      <span class="row wide" role="group" aria-label="Which sessions">
        ${p.map(([f,u])=>l`<button key=${f} type="button" class="chip" aria-pressed=${o===f} onClick=${()=>s(f)}>${u}</button>`)}
      </span>
    </div>
    <div class="board">${t$(c).map(f=>l`<${vp} key=${f.id} session=${f} />`)}</div>
    ${c.length===0&&l`<p class="mid none-shown">${o==="speaking"?"Nobody is speaking right now.":"All is well: no client is lost."}</p>`}
    ${e.more&&l`<p class="dim second none-shown">These are the newest hundred.</p>`}
    <div class="columns"><${Ya} refused=${t.refused} />${t.sessions&&l`<${Ja} nodes=${n} capacity=${t} />`}</div>`}var t$=e=>[...e].sort((t,n)=>xp(t)-xp(n)||t.age-n.age),xp=e=>e.speaking?0:e.state==="lost"?1e6:e.quiet===null?2e6:e.quiet;function n$(e,t,n,o){let s=e===0?"Nobody is speaking":`${wp(e)} ${e===1?"person is":"people are"} speaking`;if(n.room!==null&&n.room<1)return`${s}. There is no room for more.`;let i=o?"more than a hundred sessions":t===1?"one session":`${wp(t).toLowerCase()} sessions`;return`${s} in ${i}.`}function o$({capacity:e,nodes:t}){let n=e.room===null?"":`There is room for ${me(Math.floor(e.room),"voice")} at once. `,o=`curl -X POST -H "x-service-key: $KEY" -d '{}' ${tt}v2/live`;return z(()=>$s.set(0),[]),l`<${wt} page title="Nobody is speaking." actions=${l`<a class="button primary" href="#/talk"><${D} name="microphone" />Talk</a>`}>
      ${n}Sessions show up here when a client opens one, with their level and last words.
    <//>
    <div class="narrow-text"><${Pn} text=${o} /></div>
    ${(e.refused.length>0||t?.items.length>1)&&l`<div class="columns"><${Ya} refused=${e.refused} />${e.sessions&&l`<${Ja} nodes=${t} capacity=${e} />`}</div>`}`}var _p=24;function Xi({finals:e,children:t,label:n="Transcript",onFollow:o,control:s}){let i=j(null),r=j(!0),[a,c]=E(null),p=j({top:0,width:0,height:0}),f=j(e);f.current=e;let u=()=>i.current.scrollHeight-i.current.scrollTop-i.current.clientHeight<_p,h=()=>{let{clientWidth:x,clientHeight:T}=i.current;i.current.scrollTop=i.current.scrollHeight,p.current={top:i.current.scrollTop,width:x,height:T}},b=()=>{let{clientWidth:x,clientHeight:T,scrollTop:C}=i.current,{top:H,width:O,height:Y}=p.current;return x===O&&T===Y&&C<H-_p&&!u()},w=()=>{r.current&&(b()?_():h())},_=()=>{let x=u();if(x!==r.current){if(!x&&!b())return h();r.current=x,c(x?null:f.current),o?.(x)}},S=()=>{r.current=!0,c(null),o?.(!0),h()};s&&(s.current={goLive:S}),Se("End",S),an(()=>{w()}),z(()=>{let x=new ResizeObserver(w);return x.observe(i.current),x.observe(i.current.firstElementChild),()=>x.disconnect()},[]);let k=a===null?0:e-a;return l`<div class="following">
    <div class="scroll" ref=${i} onScroll=${_} tabindex="0" role="region" aria-label=${n}><div class="pad">${t}</div></div>
    ${a!==null&&l`<button type="button" class="button to-live" onClick=${S}>
      <${D} name="down" />${k>0?`${R(k)} new, go to live`:"Go to live"}
    </button>`}
  </div>`}var s$=4;function er({value:e}){return l`<div class="json" tabindex="0" role="region" aria-label="JSON">${Za(e,"")}</div>`}function Za(e,t){return Array.isArray(e)?i$(e,t):e!==null&&typeof e=="object"?r$(e,t):l`<span class=${typeof e=="string"?"string":"number"}>${JSON.stringify(e)}</span>`}function i$(e,t){if(e.length>=s$&&typeof e[0]=="object")return l`[ <span class="name">${e.length} items</span> ]`;let n=e.every(s=>typeof s!="object"),o=n?"":t+"  ";return l`[${e.map((s,i)=>l`${n?i>0&&" ":`
`+o}${Za(s,o)}${i<e.length-1&&","}`)}${!n&&e.length>0&&`
`+t}]`}function r$(e,t){let n=Object.keys(e),o=t+"  ";return l`{${n.map((s,i)=>l`${`
`+o}<span class="name">"${s}"</span>: ${Za(e[s],o)}${i<n.length-1&&","}`)}${n.length>0&&`
`+t}}`}var Qa=class extends En{shouldComponentUpdate(t){return["item","turn","named"].some(n=>t[n]!==this.props[n])}render({item:t,turn:n,named:o}){return t.state==="divider"?l`<${lp}>${t.text}<//>`:l`<${Yi}
      utterance=${t.utterance}
      state=${t.state}
      turn=${n}
      voice=${o?vs(t.utterance):null}
      entities=${t.entities}
      mood=${t.mood}
      >${t.translations?.map(s=>l`<${a$} key=${s.language} ...${s} />`)}<//
    >`}};function a$({language:e,text:t,error:n}){return l`<span class=${`beside${n?" failed":""}`} lang=${n?null:e}
    ><b title=${ue(e)}>${e}</b>${n?`Not translated: ${n}`:t}</span
  >`}function tr({items:e,named:t}){let n;return l`<ol class="transcript" aria-label="Transcript">
    ${e.map(o=>{let s=o.utterance&&vs(o.utterance).name,i=o.utterance&&(n===void 0||t&&s!==n);return o.utterance&&(n=s),l`<${Qa} key=${o.id} item=${o} turn=${i} named=${t} />`})}
  </ol>`}var kp=500,l$=8e3,Xa=class{#e="";constructor(t){this.take=t}feed(t){let n=(this.#e+t).split(`

`);this.#e=n.pop();for(let o of n){let s={id:"",type:"",data:""};for(let i of o.split(`
`)){let r=i.indexOf(": ");if(r<0)continue;let a=i.slice(r+2);i.startsWith("id")?s.id=a:i.startsWith("event")?s.type=a:i.startsWith("data")&&(s.data+=s.data?`
`+a:a)}s.data&&this.take(s)}}},ts=class{#e=new AbortController;#t="";#n=kp;constructor(t,{token:n,onEvent:o,onState:s}){this.path=t,this.token=n,this.onEvent=o,this.onState=s,this.#o()}close(){this.#e.abort()}async#o(){for(;!this.#e.signal.aborted;){if(await this.#i().catch(()=>!1)||this.#e.signal.aborted)return;this.onState({is:"lost"}),await new Promise(n=>setTimeout(n,this.#n)),this.#n=Math.min(l$,this.#n*2)}}async#i(){let t={accept:"text/event-stream"};this.token&&(t.authorization=`Bearer ${this.token}`),this.#t&&(t["last-event-id"]=this.#t);let n=await fetch(tt+this.path,{headers:t,credentials:this.token?"omit":"same-origin",signal:this.#e.signal,cache:"no-store"});if(n.status===204)return this.#s({is:"ended"});if(n.status>=400&&n.status<500&&n.status!==429){let r=await n.json().catch(()=>({}));return this.#s({is:"failed",status:n.status,reason:r.message??""})}if(!n.ok)return!1;this.onState({is:"open"});let o=!1,s=new Xa(({id:r,type:a,data:c})=>{this.#n=kp,r&&(this.#t=r);let p=JSON.parse(c);a==="subscription_end"&&(o=p.data.reason||"ended"),this.onEvent({id:r,type:a,message:p,text:c})}),i=n.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let{done:r,value:a}=await i.read();if(r)break;s.feed(a)}return o?this.#s({is:"ended",reason:o}):!1}#s(t){return this.#e.signal.aborted||this.onState(t),!0}};var nr=[["received","Received","until the recognizer had the audio"],["endpointed","Endpointed","until the silence was long enough"],["queued","Queued","until an engine had time"],["decoded","Decoded","until the engine had the words"],["sent","Sent","until they were safe and on their way"]],tl=20,Ws=e=>e<.00995?(e*1e3).toFixed(1):R(Math.round(e*1e3)),el=e=>nr.reduce((t,[n])=>t+(e[n]??0),0);function Sp({path:e,conversation:t,ends:n,ended:o}){let[s,i]=E(null);pt(async a=>{let c=await oe(`${e}/delays`,{signal:a}).catch(()=>null);c&&i(c)},o?30:2,[e,o]);let r=s?.here&&s.items.length>0;return l`<div class="panel-body"><div class="options delays-panel">
    ${r?l`<${c$} items=${s.items} conversation=${t} />`:l`<${u$} finals=${n.finals} conversation=${t} known=${s!==null} />`}
  </div></div>`}function Tp({seconds:e,children:t}){let n=o=>l`<b class="num">${Ws(hi(e,o))} ms</b>`;return l`<p class="mid">Of the last ${me(e.length,"final")}, half came within ${n(.5)} and nineteen of twenty within ${n(.95)} of ${t}</p>`}function c$({items:e,conversation:t}){let n=Math.max(...e.slice(0,tl).map(el));return l`<${Tp} seconds=${e.map(el)}>the last sound of the utterance.<//>
    <table class="stages">
      <thead><tr><th>Milliseconds</th><th class="right">p50</th><th class="right">p95</th></tr></thead>
      <tbody>
        ${nr.map(([o,s,i])=>{let r=e.map(a=>a[o]).filter(a=>a!==null);return l`<tr key=${o}>
            <td><s class=${`stage-of ${o}`}></s>${s}<small>${i}</small></td>
            <td class="num right">${r.length>0?Ws(hi(r,.5)):"–"}</td>
            <td class="num right">${r.length>0?Ws(hi(r,.95)):"–"}</td>
          </tr>`})}
      </tbody>
    </table>
    <h2>The newest</h2>
    <ol class="final-delays">
      ${e.slice(0,tl).map(o=>l`<${Mp} key=${o.utterance_id} id=${o.utterance_id} seconds=${el(o)} conversation=${t}>
          <span class="stage-bars" role="img" aria-label=${nr.map(([s,i])=>`${i} ${Ws(o[s]??0)} ms`).join(", ")}>
            ${nr.map(([s])=>l`<i key=${s} class=${`stage-of ${s}`} style=${{width:`${(o[s]??0)/n*100}%`}}></i>`)}
          </span>
        <//>`)}
    </ol>`}function u$({finals:e,conversation:t,known:n}){if(e.length===0)return l`<p class="mid">${n?"No final has come since this page follows the session.":""}</p>`;let o=Math.max(...e.map(s=>s.seconds),.001);return l`<${Tp} seconds=${e.map(s=>s.seconds)}>the end of speech. The stages are known on the machine that has the session.<//>
    <h2>The newest</h2>
    <ol class="final-delays">
      ${e.slice(-tl).reverse().map(s=>l`<${Mp} key=${s.id} id=${s.id} seconds=${s.seconds} conversation=${t}>
            <span class="stage-bars"><i class="stage-of decoded" style=${{width:`${s.seconds/o*100}%`}}></i></span>
          <//>`)}
    </ol>`}function Mp({id:e,seconds:t,conversation:n,children:o}){let s=n.items.findLast(i=>i.id===e)?.utterance;return l`<li>
    <time>${s?ie(s.start):"–"}</time><span class="words">${s?.text.trim()??""}</span><span class="num">${Ws(t)}<small>ms</small></span>${o}
  </li>`}var or=class{finals=[];#e=1/0;#t=[];#n=[];take({type:t,data:n,created_at:o}){let s=Date.parse(o);if(t==="speech_start")this.#e=Math.min(this.#e,s-n.time*1e3);else if(t==="speech_end")this.#t=[...this.#t,n].slice(-60);else if(t==="transcript"&&n.is_final&&!this.finals.some(i=>i.id===n.id))this.#n=[...this.#n,{id:n.id,channel:n.utterance.channel,end:n.utterance.end,at:s}].slice(-60);else return;this.#n=this.#n.filter(i=>!this.#o(i))}#o({id:t,channel:n,end:o,at:s}){let i=this.#t.find(r=>r.channel===n&&r.time>=o-.3);return!i||this.#e===1/0?!1:(this.finals=[...this.finals,{id:t,seconds:Math.max(0,s-this.#e-i.time*1e3)/1e3}].slice(-60),!0)}};var yn=30,Cp=4,d$=20,Hs=50;function Ap({path:e,conversation:t}){let n=j(null),o=j({points:new Map,end:0}),s=F(It);return pt(async i=>{let r=o.current,a=r.end>0?r.end.toFixed(2):-yn,c=await oe(`${e}/peaks?from=${a}&points=2000`,{signal:i,quiet:!0}).catch(()=>null);if(c){r.end>0&&c.duration-r.end>yn&&r.points.clear();for(let p=0;p<c.length;p++){let f=0;for(let u=0;u<2*c.channels;u++)f=Math.max(f,Math.abs(c.data[p*2*c.channels+u])/128);r.points.set(Math.round(c.from*Hs)+p,f)}r.end=Math.max(r.end,c.from+c.length/Hs);for(let p of r.points.keys())p<(r.end-yn)*Hs&&r.points.delete(p);Ep(n.current,r,t,cn("accent","line-control","text"))}},1,[e]),z(()=>Ep(n.current,o.current,t,cn("accent","line-control","text")),[s]),l`<div class="strip">
    <canvas ref=${n} role="img" aria-label="Level and detected speech in the last 30 seconds"></canvas>
    <div class="ends"><span>30 s ago</span><span>now</span></div>
  </div>`}function Ep(e,{points:t,end:n},o,s){if(!e)return;let{clientWidth:i,clientHeight:r}=e,a=devicePixelRatio||1;e.width=i*a,e.height=r*a;let c=e.getContext("2d");c.scale(a,a);let p=(r-26)/2+6,f=Math.floor(i/Cp),u=b=>i*(1-(n-b)/yn);for(let b=0;b<f;b++){let w=n-yn+b*yn/f,_=0;for(let T=Math.round(w*Hs);T<(w+yn/f)*Hs;T++)_=Math.max(_,t.get(T)??0);let S=o.speech.some(T=>w>=T.start&&w<=(T.end??n)),k=_>0?20*Math.log10(_):-60,x=1+Math.max(0,Math.min(1,1+(k+3)/42))**1.7*(p-7);c.globalAlpha=S?.38+.62*(b/f)**1.4:1,c.fillStyle=S?s.accent:s["line-control"],c.beginPath(),c.roundRect(b*Cp,p-x,2,x*2,1),c.fill()}c.globalAlpha=1;let h=r-d$;for(let b of o.speech)(b.end??n)<n-yn||(c.fillStyle=s.accent,c.fillRect(u(b.start),h,u(b.end??n)-u(b.start),2));c.fillStyle=s.text;for(let b of o.ends)b>n-yn&&c.fillRect(u(b)-1,h-3,1.5,8)}var p$=1e3,f$=5e3,m$=40,h$=[{value:"session",label:"Session"},{value:"messages",label:"Messages"},{value:"delays",label:"Delays"}];function zp({id:e}){let t=`v2/live/${encodeURIComponent(e)}`,[n,o]=E(null),[s,i]=E(null);if(z(()=>{oe(`${t}/outline`).then(({job:r,title:a})=>o({...r,title:a}),i)},[e]),s){let r=s.status===404;return l`<main class="page" id="main" tabindex="-1">
      <${wt} page title=${r?"There is no such session.":"The session does not come."} actions=${l`<a class="button" href="#/sessions">All sessions</a>`}>
        ${r?"It may have been deleted, or it belongs to another key.":`${s.message}.`}
      <//>
    </main>`}return n?l`<${$$} id=${e} path=${t} job=${n} />`:l`<main id="main" tabindex="-1"></main>`}function g$(e){let t=j(null),[n,o]=E("opening"),[s,i]=E(0);return t.current??={conversation:new On,log:new jo,ends:new or,joined:!1,began:Date.now(),offset:null,came:0},z(()=>{let r=t.current,a=0,c=()=>{a||=requestAnimationFrame(()=>{a=0,i(u=>u+1)})},p=({type:u,message:h,text:b})=>{r.came++,r.log.take(b,h),r.ends.take(h),!r.joined&&(Date.parse(h.created_at)>r.began||Date.now()-r.began>f$)&&(r.joined=!0,r.conversation.finals>0&&r.conversation.divide("you joined here; all of the above was said before")),u==="end_session"&&(r.conversation.end(),o("ended"));let w=h.data?.time??h.data?.utterance?.end;typeof w=="number"&&(r.offset=Date.parse(h.created_at)/1e3-w),r.conversation.take(h)==="final"&&r.joined&&ps(h.data.utterance.text.trim()),c()},f=new ts(`${e}/events?receive_partial_transcripts=true&receive_lifecycle_events=true&receive_speech_events=true&receive_final_transcripts=true&receive_realtime_processing_events=true&receive_post_processing_events=true`,{onEvent:p,onState:({is:u})=>o(h=>h==="ended"&&u==="lost"?h:u)});return()=>{cancelAnimationFrame(a),f.close()}},[e]),{...t.current,state:t.current,connection:n,version:s}}function $$({id:e,path:t,job:n}){let{conversation:o,log:s,connection:i,state:r}=g$(t),[a,c]=E(null),[p,f]=mt("session.confidence",!0),[u,h]=E("session"),[b,w]=E(!1),[_,S]=E(!0),k=j(null),x=i==="ended";pt(async Y=>{if(x)return;let{items:J}=await oe("v2/sessions",{signal:Y}).catch(()=>({items:[]}));c(J.find(se=>se.id===e)??null)},1,[e,x]),Se("Escape",()=>w(!1),b);let T=n.title||Ua({id:e});z(()=>{document.title=`${T} · steno`},[T]);let[C,H]=x?["","ended"]:a?Ka(a):["",""];return l`<main class=${`talk live followed with-panel${p?"":" plain-words"}${b?" sheet":""}`} id="main" tabindex="-1">
    <section class="stage" aria-label="Transcript">
      <div class="stage-bar">
        <a class="button quiet small only" href="#/sessions" aria-label="Back to sessions"><${D} name="left" /></a>
        <div class="facts grow">
          <h1>${T}</h1>
          ${H&&l`<span class="row doing-now"><i class=${`dot ${C==="on"?"live":C==="warn"?"warn":"open"}`}></i>${H}</span>`}
          ${a&&l`<span class="num wide">${ie(a.age)}</span>`}
        </div>
        <span class="row wide">
          <button type="button" class="button quiet small" aria-pressed=${p} title="Show words of low confidence" onClick=${()=>f(!p)}>Confidence</button>
          <${eo} text=${()=>o.text()} disabled=${o.finals===0} />
        </span>
        <${es} session=${e} languages=${to(n.request_params)} />
        <button type="button" class="button quiet small only open-panel has-panel" aria-label="About this session" onClick=${()=>w(!0)}><${D} name="options" /></button>
      </div>
      <div><${w$} connection=${i} id=${e} came=${r.came} joined=${r.joined} /></div>
      <${Xi} finals=${o.finals} onFollow=${S} control=${k}>
        ${o.items.length>0?l`<${tr} items=${o.items} named=${o.voices.size>1} />`:l`<p class="quiet-pad">${x?"Nothing was said in this session.":"Nothing has been said yet. Words come here as they are spoken."}</p>`}
      <//>
      <div class="dock">
        ${!x&&l`<${Ap} path=${t} conversation=${o} />`}
        <div class="deck follow-deck">
          <span class="row">
            ${!x&&l`<button type="button" class="button" aria-pressed=${_} onClick=${()=>k.current.goLive()}>${_?l`<${D} name="check" />Following`:"Follow"}</button>`}
            <span class="second mid wide">${x?"The session has ended.":_?"Scroll up to read; it stays where you are.":"Reading. What is new is counted, not shown."}</span>
          </span>
          ${!x&&l`<${v$} finals=${r.ends.finals} />`} ${x&&l`<a class="button" href=${`#/records/${e}`}><${D} name="records" />Open the record</a>`}
        </div>
      </div>
    </section>
    ${b&&l`<div class="sheet-veil" onClick=${()=>w(!1)}></div>`}
    <aside class="panel" aria-label="About this session">
      <div class="panel-head">
        <${pn} class="tabs" label="About this session" value=${u} options=${h$} onChange=${h} />
        ${b&&l`<button type="button" class="button quiet small only" aria-label="Close panel" onClick=${()=>w(!1)}><${D} name="close" /></button>`}
      </div>
      ${u==="session"&&l`<${x$} id=${e} path=${t} job=${n} now=${a} conversation=${o} />`} ${u==="messages"&&l`<${k$} log=${s} />`}
      ${u==="delays"&&l`<${Sp} path=${t} conversation=${o} ends=${r.ends} ended=${x} />`}
      <div class="panel-foot">
        <span class="grow">Opened ${ht(n.created_at)}</span>
        ${!x&&Fo("live")&&l`<${S$} path=${t} name=${T} />`}
      </div>
    </aside>
  </main>`}var b$=20;function v$({finals:e}){let t=Io(e.slice(-b$).map(n=>n.seconds*1e3));return l`<dl class="delays" title="Median of the last 20, from the end of speech">
    <div class=${t>=p$?"over":""}><dt>final</dt><dd class="num">${t===null?"–":R(Math.round(t))}<small>ms</small></dd></div>
  </dl>`}function w$({connection:e,id:t,came:n,joined:o}){return e==="lost"?l`<${fe} kind="warn" icon="unplugged" title="Connection lost.">The session goes on. What is said meanwhile comes when this page is connected again.<//>`:e==="failed"?l`<${fe} kind="bad" title="This session cannot be followed.">It may have been deleted, or the sign-in has ended.<//>`:e==="ended"?l`<${fe} title="The session has ended." action=${l`<a class="button small" href=${`#/records/${t}`}>Open the record</a>`}>Its words and audio are kept as a record.<//>`:!o&&n>m$?l`<${fe} title="Catching up.">${R(n)} messages have come. What is live is shown after them.<//>`:null}function x$({id:e,path:t,job:n,now:o,conversation:s}){let i=n.request_params??{},r=new Map;for(let u of s.items){if(!u.utterance||u.state==="partial")continue;let h=vs(u.utterance);r.set(h.name,{...h,seconds:(r.get(h.name)?.seconds??0)+u.utterance.end-u.utterance.start})}let a=s.items.reduce((u,h)=>u+(h.entities?.length??0),0),c=to(i),p=[["Id",l`<span class="mono label">${e}</span>`],["Client",o?.key&&`key “${o.key}”`],["Audio",Ga({sample_rate:i.sample_rate,encoding:i.encoding,channels:i.channels})+(i.bit_depth?`, ${i.bit_depth} bit`:"")],["Language",(i.language_config?.languages??[]).length>0?Fe(i.language_config.languages.map(ue)):"left open"],["Model",i.model],["Connections",o?.connections>0&&(o.connections===1?"one, never lost":`${R(o.connections)}, ${me(o.connections-1,"time")} resumed`)],["Finals",s.finals>0&&l`${R(s.finals)}${o?.final_delay?l`, 19 of 20 within <span class="num">${Math.round(o.final_delay*1e3)}<small>ms</small></span>`:""}`],["Callbacks",i.callback&&i.callback_config?.url&&l`<${y$} path=${t} url=${i.callback_config.url.split("?")[0]} />`]],f=[["Translation",c.length>0&&Fe(c.map(ue))],["Entities",i.realtime_processing?.named_entity_recognition&&`${R(a)} found`],["Sentiment",i.realtime_processing?.sentiment_analysis&&"of each utterance"],["Summary",i.post_processing?.summarization&&(s.summary?.text??"at the end")],["Chapters",i.post_processing?.chapterization&&(s.chapters?me(s.chapters.list.length,"chapter"):"at the end")]].filter(([,u])=>u);return l`<div class="panel-body"><div class="options">
    <dl class="facts-list">${p.filter(([,u])=>u).map(([u,h])=>l`<dt>${u}</dt><dd>${h}</dd>`)}</dl>
    ${r.size>1&&l`<h2>Speakers</h2><dl class="facts-list">${[...r.values()].map(u=>l`<dt><${fn} n=${u.n} name=${u.name} /></dt><dd class="num">${ie(u.seconds)}</dd>`)}</dl>`}
    ${f.length>0&&l`<h2>Add-ons</h2><dl class="facts-list">${f.map(([u,h])=>l`<dt>${u}</dt><dd>${h}</dd>`)}</dl>`}
  </div></div>`}function y$({path:e,url:t}){let[n,o]=E(null);pt(r=>oe(`${e}/callbacks`,{signal:r}).then(a=>o(a.items),()=>{}),5,[e]);let s=r=>(n??[]).filter(a=>a.state===r).length,i=[s("pending")>0&&`${R(s("pending"))} waiting`,s("dead")>0&&`${R(s("dead"))} given up`].filter(Boolean).join(", ");return l`<span class="mono label">${t}</span>${n&&l`<br />${i||"none waiting"}`}`}var _$=200;function k$({log:e}){let[t,n]=E(null),o=e.entries.slice(-_$).reverse();return l`<div class="panel-body messages">
    ${o.length===0&&l`<p class="nothing">No message has come yet.</p>`}
    ${o.map(s=>l`<button key=${s.n} type="button" class=${`message${t===s.n?" open":""}`} aria-expanded=${t===s.n} onClick=${()=>n(t===s.n?null:s.n)}>
          <span class="at">${ie(s.at,2)}</span><span aria-hidden="true">↓</span><b class=${s.partial?"pale":""}>${s.type}${s.partial?", partial":""}</b>
        </button>
        ${t===s.n&&l`<${er} value=${JSON.parse(s.text)} />`}`)}
  </div>`}function S$({path:e,name:t}){let[n,o]=E(!1),[s,i]=E(""),a=l`<button type="button" class="button" autofocus onClick=${()=>o(!1)}>Keep it running</button>
    <button type="button" class="button danger solid" onClick=${()=>oe(`${e}?cancel=true`,{method:"DELETE"}).then(()=>zn(["sessions"]),c=>i(c.status===403?"This key may not end sessions.":c.message))}>End and delete</button>`;return l`<button type="button" class="button small danger" onClick=${()=>o(!0)}>End session</button>
    ${n&&l`<${un} title=${`End “${t}”?`} actions=${a} onClose=${()=>o(!1)}>
      <p>Whoever is speaking is cut off, and nothing of the session is kept: its words and its audio are deleted. To keep them, have the client stop.</p>
      ${s&&l`<p class="danger-text">${s}</p>`}
    <//>`}`}function Lp({rest:e}){return e.length>0?l`<${zp} key=${e[0]} id=${e[0]} />`:l`<${yp} />`}var T$=6,M$=3e3;function Pp({rest:e,query:t}){let n=e[0],o=t.get("token")??"",[s,i]=E({is:"opening"}),r=j(null),[,a]=E(0),[c,p]=mt(`captions.${n}`,t.get("language")??""),f=P$();z(()=>{if(r.current=new On,!n||!o){i({is:"failed",status:404});return}let _=new ts(`v2/live/${encodeURIComponent(n)}/events`,{token:o,onState:i,onEvent:({type:S,message:k})=>{S==="end_session"&&i({is:"ended"}),r.current.take(k)&&a(x=>x+1)}});return oo(!0),()=>{_.close(),oo(!1)}},[n,o]);let u=(r.current?.items??[]).filter(_=>_.utterance),h=u.findLast(_=>_.state!=="partial")?.utterance.language??"",b=C$(u,h),w=b.some(_=>_.value===c)&&c!==h?c:"";return l`<main class=${`caption${f?" quiet":""}`} id="main" tabindex="-1">
    <h1 class="unseen">Captions</h1>
    <div class="bar">
      ${b.length>1?l`<${Qt} plain icon="globe" label="Language of the captions" value=${w||h} options=${b} onChange=${p} />`:l`<span class="row"><${D} name="globe" />${h&&ue(h)}</span>`}
      <span class="grow"></span>
      ${s.is==="lost"&&l`<span class="row lost" role="status"><${D} name="unplugged" />Reconnecting. Nothing will be missed.</span>`}
      <button type="button" class="button quiet only" aria-label="Dark or light" onClick=${pi}><${D} name="theme" /></button>
    </div>
    ${s.is==="failed"?l`<${L$} status=${s.status} />`:l`<${z$} items=${u} target=${w} state=${s.is} />`}
  </main>`}function C$(e,t){let n=new Set(t?[t]:[]);for(let o of e)for(let s of o.translations??[])s.text&&n.add(s.language);return[...n].map(o=>({value:o,label:E$(o)}))}function E$(e){try{let t=new Intl.DisplayNames([e],{type:"language"}).of(e);return t.charAt(0).toLocaleUpperCase(e)+t.slice(1)}catch{return ue(e)}}function A$(e){let{top:t}=e.getBoundingClientRect(),n=[...e.querySelectorAll("p")];n.forEach((o,s)=>o.classList.toggle("cut",s<n.length-1&&o.getBoundingClientRect().top<t-1))}function z$({items:e,target:t,state:n}){let o=j(null);an(()=>A$(o.current));let s=[];for(let r of e){let a=t?r.translations?.find(c=>c.language===t)?.text:r.utterance.text.trim();a&&(!t||r.state!=="partial")&&s.push({id:r.id,text:a,partial:r.state==="partial",lang:t||r.utterance.language})}let i=n==="ended";return s.length===0?l`<div class="lines" ref=${o}><p class="waiting">${i?"Nothing was said in this session.":"Captions begin when somebody speaks."}</p></div>`:l`<div class="lines" ref=${o}>
    <div aria-live="polite">
      ${s.filter(r=>!r.partial).slice(-T$).map(r=>l`<p key=${r.id} lang=${r.lang}>${r.text}</p>`)}
    </div>
    ${s.filter(r=>r.partial).map(r=>l`<p key=${r.id} class="pale" lang=${r.lang} aria-hidden="true">${r.text}<span class="caret"></span></p>`)}
    ${i&&l`<p class="waiting over">The session has ended.</p>`}
  </div>`}function L$({status:e}){let t=e===401||e===403||e===404;return l`<div class="lines"><p class="waiting">${t?"This link does not lead to captions any more.":"The captions do not come."}</p>
    <p class="waiting hint-line">${t?"It has expired, or was withdrawn. Whoever made it can make another one.":"This page tries again when it is loaded again."}</p></div>`}function P$(){let[e,t]=E(!1);return z(()=>{let n,o=()=>{t(!1),clearTimeout(n),n=setTimeout(()=>t(!document.activeElement?.closest(".bar")),M$)};o();let s=["pointermove","pointerdown","keydown","focusin"];for(let i of s)addEventListener(i,o);return()=>{clearTimeout(n);for(let i of s)removeEventListener(i,o)}},[]),e}function Op({summary:e,chapters:t}){return l`<section class="afterword">
    ${e&&l`<h2>Summary</h2>
      <p>${e.error?`There is none: ${e.error}.`:e.text||"Too little was said for one."}</p>`}
    ${t&&l`<h2>Chapters</h2>
      ${t.error?l`<p>There are none: ${t.error}.</p>`:l`<ol>${t.list.map(n=>l`<li key=${n.start}><time>${ie(n.start)}</time> ${n.headline}</li>`)}</ol>`}`}
  </section>`}var O$=2e3;function Dp({options:e,onFile:t,onTalk:n}){let o=F(jt),s=F(xs),i=F(ki),r=F(ys),{final:a}=F(so),c=F(ft),p=F(ye);if(o)return l`<${N$} ...${o} onFile=${t} onTalk=${n} />`;if(s)return l`<${R$} ...${s} />`;if(i!==null)return l`<${fe} title="Connected again.">Nothing was lost${i>=.1&&`: ${i.toFixed(1)} s were sent again`}.<//>`;let f=["idle","recording"].includes(p)&&Wr(c,ee?.request.model??e.model,ee?.request.language_config?.languages??e.languages);if(f?.is==="none")return l`<${D$} languages=${f.languages} running=${p==="recording"} />`;if(r){let u=ee?.source?.label;return l`<${fe} kind="warn" icon="microphone" title=${`Nothing comes from ${u?`“${u}”`:"the microphone"}.`}
      >It may be muted, or it may be another one that you speak into.<//
    >`}return f?.is==="stand-in"?l`<${fe} kind="warn" icon="unplugged" title=${`Engine ${f.away} is away.`}>
      ${Xn(f.by)} stands in, so expect more wrong words.${p==="recording"&&" The session goes on."}
    <//>`:a>O$&&p==="recording"?l`<${fe} kind="warn" title="Finals are late.">The engine is busy with other sessions; partials are thinned out first. No words are lost.<//>`:null}function D$({languages:e,running:t}){let n=`No engine${e.length>0?` for ${Fe(e.map(ue))}`:""} at the moment.`;return t?l`<${fe} kind="bad" icon="unplugged" title=${n}>Audio is kept. Words come when it is back; what waits too long stays without words.<//>`:l`<${fe} kind="bad" icon="unplugged" title=${n}>What is said now is kept, and has words once it is back.<//>`}function R$({kept:e,next:t}){let n=t===null?"Trying now.":`Trying again in ${Math.ceil(t/1e3)} s.`,o=l`<button type="button" class="button small" onClick=${()=>ee.session.retryNow()}><${D} name="again" />Try now</button>`;return l`<${fe} kind="warn" icon="unplugged" title="Connection lost." action=${o}
    >Keep talking: ${e.toFixed(1)} s are kept here and go out when it is back. ${n}<//
  >`}function N$({kind:e,icon:t,title:n,text:o,action:s,again:i=0,onFile:r,onTalk:a}){let[c,p]=E(i);z(()=>p(i),[n,i]),z(()=>{if(c<=0)return;let u=setTimeout(()=>p(c-1),1e3);return()=>clearTimeout(u)},[c]);let f=null;return s==="file"?f=l`<button type="button" class="button small" onClick=${r}><${D} name="file" />Choose a recording</button>`:s==="sessions"?f=l`<a class="button small" href="#/sessions">Sessions</a>`:i>0&&(f=l`<button type="button" class="button small" disabled=${c>0} onClick=${a}>${c>0?`Try again in ${c} s`:"Try again"}</button>`),l`<${fe} kind=${e} icon=${t} title=${n} action=${f}>${o}<//>`}function Np({onTalk:e}){let t=F(ye);return l`<div class="deck">
      <${F$} state=${t} onTalk=${e} /><${I$} state=${t} />
      ${t==="ended"?l`<${W$} />`:l`<${j$} state=${t} />`}
      <${Rp} />
    </div>
    <${Rp} line />`}function F$({state:e,onTalk:t}){switch(e){case"recording":return l`<button type="button" class="talk-button on" onClick=${_s}><i></i>Stop</button>`;case"resuming":return l`<button type="button" class="talk-button wait" onClick=${_s}><i></i>Stop</button>`;case"opening":return l`<button type="button" class="talk-button on" disabled><i></i>Opening</button>`;case"finishing":return l`<button type="button" class="talk-button on" disabled><i></i>Finishing</button>`}return l`<button type="button" class="talk-button" onClick=${t}><${D} name="microphone" />${e==="ended"?"Talk again":"Talk"}</button>`}function I$({state:e}){let[t,n]=ie(F(Mt),1).split(".");return l`<div class="clock-box"><span class=${`clock${e==="idle"?" dim":""}`}>${t}<small>.${n}</small></span></div>`}function j$({state:e}){let{level:t,peak:n,clipping:o}=F(_i),s=e==="recording"||e==="resuming",i=s&&ee?.from;return l`<div class="input-box">
    ${i&&i.kind!=="microphone"?l`<span class="playing">${i.file?.name??"The sample"}</span>`:l`<${q$} locked=${e!=="idle"} />`}
    <${Qi} level=${s?t:-60} peak=${s?n:-60} state=${s?o?"clipping":"speaking":"off"} />
    ${s&&o&&l`<small class="loud">too loud</small>`}
  </div>`}function q$({locked:e}){let[t,n]=mt("talk.device",""),[o,s]=E([]);z(()=>{let c=navigator.mediaDevices;if(!c)return;let p=()=>c.enumerateDevices().then(f=>s(f.filter(u=>u.kind==="audioinput")),()=>{});return p(),c.addEventListener("devicechange",p),()=>c.removeEventListener("devicechange",p)},[e]);let i=o.filter(c=>c.label&&c.deviceId!=="default");if(i.length===0)return l`<span class="playing">Microphone</span>`;let r=[{value:"",label:"Default microphone"},...i.map(c=>({value:c.deviceId,label:c.label}))],a=i.some(c=>c.deviceId===t)?t:"";return l`<${Qt} label="Microphone" plain value=${a} options=${r} disabled=${e} onChange=${c=>n(c||void 0)} />`}function W$(){let[e,t]=E(!1),[n,o]=E(""),i=l`<button type="button" class="button" autofocus onClick=${()=>t(!1)}>Keep</button>
    <button type="button" class="button danger solid" onClick=${async()=>{try{await oe(`v2/live/${ee.id}`,{method:"DELETE"}),Mi()}catch(r){o(r.message)}}}>Delete the record</button>`;return l`<div class="after">
    <a class="button" href=${An(["records",ee.id])}>Open the record</a>
    <button type="button" class="button quiet" onClick=${()=>t(!0)}>Discard</button>
    ${e&&l`<${un} title="Delete this record?" onClose=${()=>t(!1)} actions=${i}>
      <p>${n?`It was not deleted: ${n}.`:"Its audio and words are gone then, from this page too. Nobody can bring them back."}</p>
    <//>`}
  </div>`}var H$={ack:500,partial:500,final:1e3};function Rp({line:e=!1}){let t=F(so);return l`<dl class=${`delays${e?" line":""}`} title="Medians of the last 20, from when it was heard">
    ${Object.entries(t).map(([n,o])=>l`<div key=${n} class=${o!==null&&o>=H$[n]?"over":""}>
        <dt>${n}</dt>
        <dd class="num">${o===null?"–":R(o)}<small>ms</small></dd>
      </div>`)}
  </dl>`}var B$=["embedded","engine","apertium"],V$={entities:"named_entity_recognition",sentiment:"sentiment_analysis",translation:"translation",summary:"summarization",chapters:"chapterization"};function Fp(e,t){let n=e?.models.find(a=>a.model===t.model)?.engines;if(!n?.length)return"";let o=n.filter(a=>!a.local).map(a=>a.name),s=Object.entries(V$).filter(([a])=>t[a]).flatMap(([,a])=>e.addons.find(c=>c.name===a)?.by??[]).filter(a=>!B$.includes(a)).map(a=>a==="llm"?"a language model":a),i=o.length>0?`Audio goes to this server, which passes it on to ${Fe(o)}.`:"",r=s.length>0?`Words go on to ${Fe([...new Set(s)])}.`:"";return!i&&!r?"Audio goes to this server and no further.":[i||"Audio goes to this server and no further.",r].filter(Boolean).join(" ")}function Ip({running:e,options:t,onFile:n,onSample:o}){let s=F(Vr),i=F(ft);return l`<div class="hello">
    <div>
      <h1>Say something. Words settle <em>as you go on</em><span class="caret" aria-hidden="true"></span></h1>
      <p>Pale words may still change; the others are final. ${Fp(i,t)}</p>
      ${!e&&l`<div class="row">
        <button type="button" class="button" onClick=${n}><${D} name="file" />Use a recording</button>
        ${s&&l`<button type="button" class="button" onClick=${o}><${D} name="play" />Play the sample</button>`}
        <span class="dim second wide"><kbd>Space</kbd>  talk and stop</span>
      </div>`}
    </div>
  </div>`}function nl(e,t,n){let o=Tc(e);return Object.entries(e).flatMap(([s,i])=>{let r=n(s,i,t);return[t,o.includes(s)?{text:r}:r,`,
`]})}function sr(e,t,n){if(Array.isArray(e))return`[${e.map(i=>sr(i,t,n)).join(", ")}]`;if(typeof e=="string")return`'${JSON.stringify(e).slice(1,-1).replaceAll('\\"','"').replaceAll("'","\\'")}'`;if(typeof e=="boolean"&&n)return e?"True":"False";if(e===null||typeof e!="object")return String(e);let o=t+(n?"    ":"  ");return`{
${Object.entries(e).map(([i,r])=>`${o}${n?`'${i}'`:i}: ${sr(r,o,n)},
`).join("")}${t}}`}var U$=e=>[...e.slice(0,-1),`
`];function G$(e,t){return[`import { readFile } from 'node:fs/promises'
import { GladiaClient } from '@gladiaio/sdk'

const client = new GladiaClient({
  apiKey: process.env.KEY,
  apiUrl: '${t}',
})
const session = client.liveV2().startSession({
`,...nl(e,"  ",(n,o,s)=>`${n}: ${sr(o,s,!1)}`),`})
session.on('message', (message) => {
  if (message.type === 'transcript')
    console.log(message.data.utterance.text)
})
session.sendAudio(await readFile('talk.wav'))
session.stopRecording()
`]}function K$(e,t){return[`import asyncio
import json
import os
import wave

import requests
import websockets

request = {
`,...nl(e,"    ",(n,o,s)=>`'${n}': ${sr(o,s,!0)}`),`}
opened = requests.post(
    '${t}/v2/live',
    headers={'x-service-key': os.environ['KEY']},
    json=request,
)
opened.raise_for_status()


async def speak(socket):
    with wave.open('talk.wav') as file:
        while samples := file.readframes(1600):
            await socket.send(samples)
    await socket.send(json.dumps({'type': 'stop_recording'}))


async def main():
    async with websockets.connect(opened.json()['url']) as socket:
        speaking = asyncio.create_task(speak(socket))
        async for text in socket:
            message = json.loads(text)
            if message['type'] == 'transcript':
                print(message['data']['utterance']['text'])
        await speaking


asyncio.run(main())
`]}function Y$(e,t){return[`url=$(curl ${t}/v2/live \\
  -H "x-service-key: $KEY" \\
  -d '{
`,...U$(nl(e,"  ",(n,o)=>`"${n}": ${JSON.stringify(o).replaceAll("'","'\\''")}`)),`}' | jq -r .url)
{
  ffmpeg -loglevel error -re -i talk.wav \\
      -f s16le -ar ${e.sample_rate} -ac ${e.channels} - |
    base64 -w 6400 |
    sed -u 's/.*/{"type":"audio_chunk","data":{"chunk":"&"}}/'
  echo '{"type":"stop_recording"}'
} | websocat -n "$url" |
  jq -r 'select(.type == "transcript") .data.utterance.text'
`]}var jp={javascript:G$,python:K$,curl:Y$},qp=e=>e.map(t=>t.text??t).join("");var J$=[{value:"javascript",label:"JavaScript"},{value:"python",label:"Python"},{value:"curl",label:"curl"}];function Wp({options:e}){let[t,n]=mt("talk.tongue","javascript"),o=ye.get()==="idle"||!ee?wi(e):ee.request,s=jp[t](o,tt.replace(/\/$/,""));return l`<div class="panel-body">
      <div class="options">
        <${pn} label="Language of the sample" value=${t} options=${J$} onChange=${n} />
        <p class="mid">This session, from your own program. What you chose under Options is marked.</p>
        <pre class="code" tabindex="0">${s.map(i=>i.text?l`<em>${i.text}</em>`:i)}</pre>
        <p class="hint">In a browser, <a href="client.js" target="_blank" rel="noreferrer">/client.js</a> does the same without a package. Keys stay on your server: pass the address of the session on instead.</p>
      </div>
    </div>
    <div class="panel-foot"><span class="grow">Key: <span class="mono">$KEY</span></span><${eo} text=${qp(s)} class="primary small" /></div>`}var ol=200;function Hp(){F(qo);let[e,t]=mt("talk.groups",["Transcripts","Speech","Add-ons"]),[n,o]=E(null),[s,i]=E(ol),r=ee?.log,a=r?r.entries.filter(f=>e.includes(f.group)):[],c=a.slice(-s).reverse(),p=f=>()=>t(e.includes(f)?e.filter(u=>u!==f):[...e,f]);return l`<div class="panel-body">
      <div class="filters" role="group" aria-label="Show">
        ${Sc.map(f=>l`<button key=${f} type="button" class="chip" aria-pressed=${e.includes(f)} onClick=${p(f)}>${f}</button>`)}
      </div>
      ${c.length===0&&l`<p class="nothing">${r?"Nothing of this kind has come yet.":"Every message of a session stands here, as it came."}</p>`}
      <div class="messages">
        ${c.map(f=>l`<${Z$} key=${f.n} entry=${f} open=${n===f.n} onOpen=${()=>o(n===f.n?null:f.n)} />`)}
      </div>
      ${a.length>s&&l`<p class="nothing"><button type="button" class="button small" onClick=${()=>i(s+ol)}>${`Show ${R(Math.min(ol,a.length-s))} older`}</button></p>`}
    </div>
    <div class="panel-foot">
      <span class="grow"><span class="num">${R(r?.received??0)}</span> received, <span class="num">${me(r?.acks??0,"ack")}</span></span>
      <button type="button" class="button small" disabled=${!r} onClick=${()=>X$(r.lines())}><${D} name="download" />JSON lines</button>
    </div>`}function Z$({entry:e,open:t,onOpen:n}){let o=j(null);o.current??=JSON.parse(e.text);let s=e.type==="transcript"&&!e.partial;return l`<button type="button" class=${`message${t?" open":""}`} aria-expanded=${t} onClick=${n}>
      <span class="at">${ie(Math.max(0,e.at),3)}</span><span class="at">${e.up?"↑":"↓"}</span>
      <span><b>${e.type}${s&&" final"}</b>${e.partial&&l` <span class="pale">partial</span>`}</span>
      <span class="gist">${Q$(e,o.current)}</span>
    </button>
    ${t&&l`<${er} value=${o.current} />`}`}function Q$({type:e,partial:t},{data:n,acknowledged:o,error:s,code:i}){if(e==="closed")return`code ${i}`;if(e==="sent")return"POST /v2/live";if(s)return s.message;switch(e){case"transcript":return t?n.utterance.text.trim():`${me(n.utterance.words.length,"word")}, confidence ${n.utterance.confidence.toFixed(2)}`;case"speech_start":case"speech_end":return`channel ${n.channel} at ${n.time.toFixed(2)}`;case"audio_chunk":return o?`bytes ${n.byte_range.join(" to ")}`:"";case"translation":return`${n.target_language}: ${n.translated_utterance.text.trim()}`;case"named_entity_recognition":return n.results.map(r=>r.text).join(", ")||"nothing found";case"sentiment_analysis":return n.results.map(r=>r.sentiment).join(", ");case"post_summarization":return n.results}return Array.isArray(n?.results)?n.results.map(r=>typeof r=="object"?Object.values(r)[0]:r).join(", ")||"nothing found":n?.recording_duration?`${n.recording_duration} s`:""}function X$(e){let t=document.createElement("a");t.href=URL.createObjectURL(new Blob([e],{type:"application/x-ndjson"})),t.download=`session-${ee.id||"messages"}.jsonl`,t.click(),setTimeout(()=>URL.revokeObjectURL(t.href),1e3)}function ir({label:e,value:t,min:n,max:o,step:s,text:i,onChange:r,scale:a,disabled:c=!1,hint:p}){let f=b=>a==="log"?Math.log(b/n)/Math.log(o/n):(b-n)/(o-n),u=b=>{let w=a==="log"?n*(o/n)**b:n+b*(o-n);return Math.min(o,Math.max(n,Number((Math.round(w/s)*s).toFixed(4))))},h=f(t);return l`<label class="field">
    <span class="name">${e}<span class="value">${i(t)}</span></span>
    <input
      class="slider"
      type="range"
      min="0"
      max="1"
      step=${a==="log"?.01:s/(o-n)}
      value=${h}
      disabled=${c}
      aria-label=${e}
      aria-valuetext=${i(t)}
      style=${{"--at":`calc(${h} * (100% - 16px) + 8px)`}}
      onInput=${b=>r(u(Number(b.target.value)))}
    />
    ${p&&l`<span class="hint">${p}</span>`}
  </label>`}function Bp({label:e,on:t,onChange:n,disabled:o=!1,describedby:s}){return l`<button
    type="button"
    class="toggle"
    role="switch"
    aria-checked=${t}
    aria-label=${e}
    aria-describedby=${s}
    disabled=${o}
    onClick=${()=>n(!t)}
  ></button>`}var eb=3,tb="makes many mistakes; a better model: steno models pull moonshine-tiny-en";function Vp({options:e,confidence:t,onConfidence:n,size:o,onSize:s,onPanel:i,open:r}){let a=F(ye),c=ee?.session&&["recording","resuming"].includes(a);return l`<div class="stage-bar">
    <div class="facts grow"><${nb} options=${e} state=${a} /></div>
    <span class="row wide">
      <button type="button" class="button quiet small" aria-pressed=${t} title="Show words of low confidence" onClick=${()=>n(!t)}>
        Confidence
      </button>
      <button type="button" class="button quiet small only" aria-label="Text size" title="Text size" onClick=${()=>s((o+1)%eb)}><${D} name="size" /></button>
      <${eo} text=${()=>ee.conversation.text()} disabled=${!ee?.conversation.finals} />
      ${c&&l`<${es} session=${ee.id} languages=${to(ee.request)} />`}
    </span>
    <button type="button" class=${`button quiet small only open-panel${r?" has-panel":""}`} aria-label="Options, messages, code" onClick=${i}><${D} name="options" /></button>
  </div>`}function nb({options:e,state:t}){let n=F(Mt),o=F(ft);if(t==="ended")return l`<span>Ended after ${nt(n)}, saved as a record</span>`;let s=o?.models.find(p=>p.model===e.model),i=s?.engines.find(fs),r=e.languages.length>0?Fe(e.languages.map(ue)):sl(s),a=i?`${e.model} by ${hc(i)}`:e.model,c=i?gc(i):null;return t==="idle"?l`<span title=${c}>${r?`${r}, ${a}`:a}</span>${i?.name==="sphinx"&&l`<span class="wide">${tb}</span>`}`:l`<span class="row"><i class="dot live"></i>${ob()??r}</span><span title=${c}>${a}</span><span class="wide">16 kHz, 1 channel</span>`}function ob(){let e=ee?.conversation.items.findLast(t=>t.utterance)?.utterance.language;return e&&ue(e)}function sl(e){return e?e.languages.length===1?ue(e.languages[0]):e.language_detection?"Any language":ue(e.languages.includes("en")?"en":e.languages[0]):""}var sb=(e,t)=>e.label.localeCompare(t.label),ib=e=>[...il.filter(t=>e.includes(t)),...e.filter(t=>!il.includes(t))],Up=e=>e.map(t=>({value:t,label:ue(t),note:t})).sort(sb);function Gp({options:e,onOptions:t}){let n=F(ft),o=!["idle","ended"].includes(F(ye)),s=r=>t({...e,...r}),i=n?.models.find(r=>r.model===e.model);return l`<div class="panel-body">
      <div class="options">
        ${o&&l`<${fe} box icon="lock" title="Kept as they are until you stop.">Changes count from the next session.<//>`}
        <${rb} model=${i} chosen=${e.languages} onChange=${r=>s({languages:r})} />
        <${ab} known=${n} model=${i} chosen=${e.model} onChange=${r=>s({model:r,languages:[]})} />
        <${lb} options=${e} set=${s} />
        <${cb} known=${n} options=${e} set=${s} />
      </div>
    </div>
    <div class="panel-foot">
      <span class="grow">Kept in this browser</span>
      <button type="button" class="button small" onClick=${()=>t(bi)}>Reset</button>
    </div>`}function rb({model:e,chosen:t,onChange:n}){let o=e?.languages??[],s=Up(o),i=ib(o).slice(0,3).map(ue),r=s.length>3?`${i.join(", ")} and ${s.length-3} more are served here.`:`${Fe(i)} ${s.length===1?"is":"are"} served here.`,a=e?.language_detection?" Choose several, or none, and it is found in the first sentence.":"";return l`<div class="field">
    <span class="name" aria-hidden="true">Language</span>
    <${Qt}
      label="Language"
      icon="globe"
      value=${t.filter(c=>o.includes(c))}
      options=${s}
      none=${sl(e)||"Any language"}
      onChange=${n}
    />
    ${s.length>0&&l`<span class="hint">${r}${a}</span>`}
  </div>`}function ab({known:e,model:t,chosen:n,onChange:o}){let s=(e?.models??[]).filter(c=>c.modes.includes("live")),[i,...r]=t?.engines.filter(fs)??[],a=i&&`Recognized by ${i.name}${r.length>0?`; ${Fe(r.map(c=>c.name))} ${r.length>1?"stand":"stands"} in`:""}.`;return l`<div class="field">
    <span class="name" aria-hidden="true">Model</span>
    <${Qt} label="Model" value=${n} options=${s.map(c=>({value:c.model,label:c.model}))} none=${n} onChange=${o} />
    <span class="hint">${a??"No engine is there for it now."}</span>
  </div>`}function lb({options:e,set:t}){return l`<${ir}
      label="An utterance ends after"
      value=${e.endpointing}
      min=${.01}
      max=${10}
      step=${.01}
      scale="log"
      text=${n=>`${n.toFixed(2)} s`}
      hint="of silence. 0.05 answers soonest, 0.3 gives more whole sentences."
      onChange=${n=>t({endpointing:n})}
    />
    <div class="two">
      <${ir} label="Longest utterance" value=${e.longest} min=${5} max=${60} step=${1} text=${n=>`${n} s`} onChange=${n=>t({longest:n})} />
      <${ir} label="Speech threshold" value=${e.threshold} min=${0} max=${1} step=${.05} text=${n=>n.toFixed(2)} onChange=${n=>t({threshold:n})} />
    </div>
    <${Bs} title="Reduce noise" note="Cleans each channel before it is heard" on=${e.enhance} onChange=${n=>t({enhance:n})} />`}function Bs({title:e,note:t,on:n,onChange:o,available:s=!0}){return l`<div class=${`option${s?"":" off"}`}>
    <span>${e}</span><small>${t}</small><${Bp} label=${e} on=${n&&s} disabled=${!s} onChange=${o} />
  </div>`}function Kp(e,t){let[n]=e?.by??[];return n==="embedded"?t:n==="llm"?"By a language model":n==="engine"?"By the engine":n?`By ${n}`:t}function cb({known:e,options:t,set:n}){let o=F(Ur),s=a=>e?.addons.find(c=>c.name===a),i=a=>{let c=s(a);return!c||c.available&&c.modes.includes("live")},r=(a,c,p,f)=>{let u=i(a),h=u?Kp(s(a),f):"Nothing that does it is configured here";return l`<${Bs} title=${p} note=${h} on=${t[c]} available=${u} onChange=${b=>n({[c]:b})} />`};return l`<h3>While you speak</h3>
    ${r("named_entity_recognition","entities","Entities","Times, places, numbers. Grammar and word lists")}
    <${db} addon=${s("translation")} available=${i("translation")} options=${t} set=${n} />
    ${r("sentiment_analysis","sentiment","Sentiment","By lexicon, English only")}
    ${r("diarization","speakers","Speakers","Coarse while live; better in records")}
    <${pb} options=${t} set=${n} />
    <h3>At the end</h3>
    ${r("summarization","summary","Summary","Picks the sentences that carry most")} ${r("chapterization","chapters","Chapters","Where the subject changes")}
    ${o.length>0&&l`<h3>More of this server</h3>`}
    ${o.map(a=>l`<${Bs} key=${a.name} title=${gi(a.name)} note=${a.doc} on=${a.name in t.more} available=${i(a.name)} onChange=${c=>n({more:ub(t.more,a,c)})} />`)}`}function ub(e,{name:t,place:n},o){let{[t]:s,...i}=e;return o?{...i,[t]:n}:i}function db({addon:e,available:t,options:n,set:o}){let s=e?.translators?.flatMap(f=>Object.values(f.pairs??{}).flat())??[],i=e?.translators?.some(f=>f.any),r=Up(i||s.length===0?il:[...new Set(s)]),a=n.targets.map(ue),c=a.length>0?`Into ${Fe(a)}`:"Choose into which languages",p=t?n.translation?c:Kp(e,"Into another language"):"No translator is configured here";return l`<${Bs} title="Translation" note=${p} on=${n.translation} available=${t} onChange=${f=>o({translation:f})} />
    ${n.translation&&t&&l`<${Qt} label="Translate into" value=${n.targets} options=${r} none="Choose languages" onChange=${f=>o({targets:f})} />`}`}var il=["en","fr","de","es","it","pt","nl","pl","uk","tr","ar","hi","ja","ko","zh"];function pb({options:e,set:t}){let n=Yr(e.words),o=n.length>2?` and ${n.length-2} more`:"",s=n.length>0?n.slice(0,2).join(", ")+o:"Names and words to expect";return l`<${Bs} title="Vocabulary" note=${s} on=${e.vocabulary} onChange=${i=>t({vocabulary:i})} />
    ${e.vocabulary&&l`<label class="field">
      <textarea class="input" rows="3" aria-label="Vocabulary" placeholder="One a line" onInput=${i=>t({words:i.target.value})}>${e.words}</textarea>
      <span class="hint">${me(n.length,"word")}. A handful is heard best, a thousand hardly.</span>
    </label>`}`}var fb=[{value:"options",label:"Options"},{value:"messages",label:"Messages"},{value:"code",label:"Code"}];function Yp({tab:e,onTab:t,onClose:n,options:o,onOptions:s}){let i=j(null);return z(()=>{getComputedStyle(i.current).position==="fixed"&&i.current.querySelector('[aria-selected="true"]').focus({preventScroll:!0})},[]),l`<aside class="panel" aria-label="Side panel" ref=${i}>
    <div class="panel-head">
      <${pn} class="tabs" label="Side panel" value=${e} options=${fb} onChange=${t} />
      <button type="button" class="button quiet small only" aria-label="Close panel" onClick=${n}><${D} name="close" /></button>
    </div>
    ${e==="options"&&l`<${Gp} options=${o} onOptions=${s} />`} ${e==="messages"&&l`<${Hp} />`}
    ${e==="code"&&l`<${Wp} options=${o} />`}
  </aside>`}var mo=30,rl=4,mb=20;function Jp(){let e=j(null),t=F(ye),n=F(It);return z(()=>{let o=cn("accent","line-control","text"),s=()=>hb(e.current,o),i=new ResizeObserver(s);i.observe(e.current);let r=["recording","resuming"].includes(t),a,c=0,p=f=>{f-c>45&&(c=f,s()),a=requestAnimationFrame(p)};return r?a=requestAnimationFrame(p):s(),()=>{cancelAnimationFrame(a),i.disconnect()}},[t,n]),l`<div class="strip">
    <canvas ref=${e} role="img" aria-label="Level and detected speech in the last 30 seconds"></canvas>
    <div class="ends"><span>30 s ago</span><span>now</span></div>
  </div>`}function hb(e,t){let n=e.getBoundingClientRect(),o=devicePixelRatio||1;e.width=n.width*o,e.height=n.height*o;let s=e.getContext("2d");s.scale(o,o);let i=Mt.get(),r=a=>n.width*(1-(i-a)/mo);gb(s,n,t,i),ee&&bb(s,n,t,i,r)}function gb(e,t,n,o){let s=(t.height-26)/2+6,i=ee,r=i?.session?i.session.kept/(i.timing.rate||1):0,a=ye.get()==="resuming"?r:0,c=i?.conversation.speech??[],p=mo*rl/t.width,f=o%p;for(let u=0;u*rl<t.width+rl;u++){let h=o-mo+u*p-f;if(h>o-a&&h>0)continue;let b=1+$b(i,h,o)*(s-7),w=c.some(_=>h>=_.start&&h<=(_.end??o));e.globalAlpha=w?.38+.62*Math.max(0,1-(o-h)/mo)**1.4:1,e.fillStyle=w?n.accent:n["line-control"],e.beginPath(),e.roundRect(t.width*(1-(o-h)/mo),s-b,2,b*2,1),e.fill()}e.globalAlpha=1}function $b(e,t,n){if(!e||t<0)return 0;let o=Math.round((n-t)*20),s=e.position-1-o;if(s<0||o>=e.levels.length)return 0;let i=e.levels[s%e.levels.length];return i>0?Math.max(0,Math.min(1,1+(20*Math.log10(i)+9)/42))**1.7:0}function bb(e,t,n,o,s){let i=t.height-mb;for(let r of ee.conversation.speech){let a=r.end??o;a<o-mo||(e.fillStyle=n.accent,e.fillRect(s(r.start),i,s(a)-s(r.start),2))}e.fillStyle=n.text;for(let r of ee.conversation.ends)r>o-mo&&e.fillRect(s(r)-1,i-3,1.5,8)}var al=["opening","recording","resuming","finishing"],Zp=matchMedia("(max-width: 1100px)");function Qp(){let[e,t]=mt("talk.options",{}),[n,o]=mt("talk.panel",Zp.matches?null:"options"),[s,i]=mt("talk.confidence",!0),[r,a]=mt("talk.size",1),[c,p]=E(!1),f=j(null),u={...bi,...e},h=F(ye);F(qt),vb(h);let b=()=>Ti(u,{kind:"microphone",deviceId:qc()}),w=()=>f.current.click(),_=O=>{let[Y]=O.target.files;O.target.value="",Y&&Ti(u,{kind:"file",file:Y})},S=()=>Ti(u,{kind:"sample"}),k=O=>{o(O),p(O!==null)},x=O=>()=>k(n===O&&(c||!Zp.matches)?null:O);Se("Space",()=>al.includes(h)?_s():b()),Se("o",x("options")),Se("m",x("messages")),Se("c",x("code")),Se("Escape",()=>k(null),c);let T=ee?.conversation,C=T&&T.items.length>0,H=`talk live size-${r}${s?"":" plain-words"}${n?" with-panel":""}${c?" sheet":""}`;return l`<main class=${H} id="main" tabindex="-1">
    <section class="stage" aria-label="Transcript">
      <${Vp} options=${u} confidence=${s} onConfidence=${i} size=${r} onSize=${a} onPanel=${()=>k(n??"options")} open=${n!==null} />
      <div><${Dp} options=${u} onFile=${w} onTalk=${b} /></div>
      ${C?l`<${Xi} finals=${T.finals}>
            <${tr} items=${T.items} named=${T.voices.size>1} />
            ${(T.summary||T.chapters)&&l`<${Op} summary=${T.summary} chapters=${T.chapters} />`}
          <//>`:l`<${Ip} running=${al.includes(h)} options=${u} onFile=${w} onSample=${S} />`}
      <div class="dock"><${Jp} /><${Np} onTalk=${b} /></div>
    </section>
    ${n!==null&&l`<${Yp} tab=${n} onTab=${o} onClose=${()=>k(null)} options=${u} onOptions=${t} />`}
    ${c&&l`<div class="sheet-veil" onClick=${()=>p(!1)}></div>`}
    <input type="file" accept="audio/*,video/*" hidden ref=${f} onChange=${_} aria-label="A recording" />
  </main>`}function vb(e){let t=Math.floor(F(Mt));z(()=>{document.title=(al.includes(e)?`● ${ie(t)} `:"")+"Talk · steno"},[e,t])}var wb={talk:Qp,sessions:Lp,records:gp,load:Fd};function Xp(){let e=F(No),t=F(Ln),n=F(di),o=e.page==="share",s=o||!t;if(z(()=>{o||hs()},[o]),z(()=>{document.body.classList.toggle("bare",s);let r=o?"Captions":t?Ei.find(a=>a.name===e.page)?.title:"Sign in";document.title=r?`${r} · steno`:"steno"},[s,e.page]),o)return l`<${Pp} rest=${e.rest} query=${e.query} />`;if(n&&!t)return l`<${jd} />`;if(t===void 0)return null;if(t===null)return l`<${Id} />`;let i=wb[e.page]??xb;return l`<${Vc}><${i} rest=${e.rest} query=${e.query} /><//>`}function xb(){let e=l`<a class="button" href="#/talk">Talk</a>`;return l`<main class="page" id="main" tabindex="-1"><${wt} title="There is no such page." page actions=${e}>The address may have been cut short.<//></main>`}Xl(l`<${Xp} />`,document.body);
/*! preact 10.27.2
The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
/*! htm 3.1.1
Apache License
                           Version 2.0, January 2004
                        http://www.apache.org/licenses/

   TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION

   1. Definitions.

      "License" shall mean the terms and conditions for use, reproduction,
      and distribution as defined by Sections 1 through 9 of this document.

      "Licensor" shall mean the copyright owner or entity authorized by
      the copyright owner that is granting the License.

      "Legal Entity" shall mean the union of the acting entity and all
      other entities that control, are controlled by, or are under common
      control with that entity. For the purposes of this definition,
      "control" means (i) the power, direct or indirect, to cause the
      direction or management of such entity, whether by contract or
      otherwise, or (ii) ownership of fifty percent (50%) or more of the
      outstanding shares, or (iii) beneficial ownership of such entity.

      "You" (or "Your") shall mean an individual or Legal Entity
      exercising permissions granted by this License.

      "Source" form shall mean the preferred form for making modifications,
      including but not limited to software source code, documentation
      source, and configuration files.

      "Object" form shall mean any form resulting from mechanical
      transformation or translation of a Source form, including but
      not limited to compiled object code, generated documentation,
      and conversions to other media types.

      "Work" shall mean the work of authorship, whether in Source or
      Object form, made available under the License, as indicated by a
      copyright notice that is included in or attached to the work
      (an example is provided in the Appendix below).

      "Derivative Works" shall mean any work, whether in Source or Object
      form, that is based on (or derived from) the Work and for which the
      editorial revisions, annotations, elaborations, or other modifications
      represent, as a whole, an original work of authorship. For the purposes
      of this License, Derivative Works shall not include works that remain
      separable from, or merely link (or bind by name) to the interfaces of,
      the Work and Derivative Works thereof.

      "Contribution" shall mean any work of authorship, including
      the original version of the Work and any modifications or additions
      to that Work or Derivative Works thereof, that is intentionally
      submitted to Licensor for inclusion in the Work by the copyright owner
      or by an individual or Legal Entity authorized to submit on behalf of
      the copyright owner. For the purposes of this definition, "submitted"
      means any form of electronic, verbal, or written communication sent
      to the Licensor or its representatives, including but not limited to
      communication on electronic mailing lists, source code control systems,
      and issue tracking systems that are managed by, or on behalf of, the
      Licensor for the purpose of discussing and improving the Work, but
      excluding communication that is conspicuously marked or otherwise
      designated in writing by the copyright owner as "Not a Contribution."

      "Contributor" shall mean Licensor and any individual or Legal Entity
      on behalf of whom a Contribution has been received by Licensor and
      subsequently incorporated within the Work.

   2. Grant of Copyright License. Subject to the terms and conditions of
      this License, each Contributor hereby grants to You a perpetual,
      worldwide, non-exclusive, no-charge, royalty-free, irrevocable
      copyright license to reproduce, prepare Derivative Works of,
      publicly display, publicly perform, sublicense, and distribute the
      Work and such Derivative Works in Source or Object form.

   3. Grant of Patent License. Subject to the terms and conditions of
      this License, each Contributor hereby grants to You a perpetual,
      worldwide, non-exclusive, no-charge, royalty-free, irrevocable
      (except as stated in this section) patent license to make, have made,
      use, offer to sell, sell, import, and otherwise transfer the Work,
      where such license applies only to those patent claims licensable
      by such Contributor that are necessarily infringed by their
      Contribution(s) alone or by combination of their Contribution(s)
      with the Work to which such Contribution(s) was submitted. If You
      institute patent litigation against any entity (including a
      cross-claim or counterclaim in a lawsuit) alleging that the Work
      or a Contribution incorporated within the Work constitutes direct
      or contributory patent infringement, then any patent licenses
      granted to You under this License for that Work shall terminate
      as of the date such litigation is filed.

   4. Redistribution. You may reproduce and distribute copies of the
      Work or Derivative Works thereof in any medium, with or without
      modifications, and in Source or Object form, provided that You
      meet the following conditions:

      (a) You must give any other recipients of the Work or
          Derivative Works a copy of this License; and

      (b) You must cause any modified files to carry prominent notices
          stating that You changed the files; and

      (c) You must retain, in the Source form of any Derivative Works
          that You distribute, all copyright, patent, trademark, and
          attribution notices from the Source form of the Work,
          excluding those notices that do not pertain to any part of
          the Derivative Works; and

      (d) If the Work includes a "NOTICE" text file as part of its
          distribution, then any Derivative Works that You distribute must
          include a readable copy of the attribution notices contained
          within such NOTICE file, excluding those notices that do not
          pertain to any part of the Derivative Works, in at least one
          of the following places: within a NOTICE text file distributed
          as part of the Derivative Works; within the Source form or
          documentation, if provided along with the Derivative Works; or,
          within a display generated by the Derivative Works, if and
          wherever such third-party notices normally appear. The contents
          of the NOTICE file are for informational purposes only and
          do not modify the License. You may add Your own attribution
          notices within Derivative Works that You distribute, alongside
          or as an addendum to the NOTICE text from the Work, provided
          that such additional attribution notices cannot be construed
          as modifying the License.

      You may add Your own copyright statement to Your modifications and
      may provide additional or different license terms and conditions
      for use, reproduction, or distribution of Your modifications, or
      for any such Derivative Works as a whole, provided Your use,
      reproduction, and distribution of the Work otherwise complies with
      the conditions stated in this License.

   5. Submission of Contributions. Unless You explicitly state otherwise,
      any Contribution intentionally submitted for inclusion in the Work
      by You to the Licensor shall be under the terms and conditions of
      this License, without any additional terms or conditions.
      Notwithstanding the above, nothing herein shall supersede or modify
      the terms of any separate license agreement you may have executed
      with Licensor regarding such Contributions.

   6. Trademarks. This License does not grant permission to use the trade
      names, trademarks, service marks, or product names of the Licensor,
      except as required for reasonable and customary use in describing the
      origin of the Work and reproducing the content of the NOTICE file.

   7. Disclaimer of Warranty. Unless required by applicable law or
      agreed to in writing, Licensor provides the Work (and each
      Contributor provides its Contributions) on an "AS IS" BASIS,
      WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or
      implied, including, without limitation, any warranties or conditions
      of TITLE, NON-INFRINGEMENT, MERCHANTABILITY, or FITNESS FOR A
      PARTICULAR PURPOSE. You are solely responsible for determining the
      appropriateness of using or redistributing the Work and assume any
      risks associated with Your exercise of permissions under this License.

   8. Limitation of Liability. In no event and under no legal theory,
      whether in tort (including negligence), contract, or otherwise,
      unless required by applicable law (such as deliberate and grossly
      negligent acts) or agreed to in writing, shall any Contributor be
      liable to You for damages, including any direct, indirect, special,
      incidental, or consequential damages of any character arising as a
      result of this License or out of the use or inability to use the
      Work (including but not limited to damages for loss of goodwill,
      work stoppage, computer failure or malfunction, or any and all
      other commercial damages or losses), even if such Contributor
      has been advised of the possibility of such damages.

   9. Accepting Warranty or Additional Liability. While redistributing
      the Work or Derivative Works thereof, You may choose to offer,
      and charge a fee for, acceptance of support, warranty, indemnity,
      or other liability obligations and/or rights consistent with this
      License. However, in accepting such obligations, You may act only
      on Your own behalf and on Your sole responsibility, not on behalf
      of any other Contributor, and only if You agree to indemnify,
      defend, and hold each Contributor harmless for any liability
      incurred by, or claims asserted against, such Contributor by reason
      of your accepting any such warranty or additional liability.

   END OF TERMS AND CONDITIONS

   APPENDIX: How to apply the Apache License to your work.

      To apply the Apache License to your work, attach the following
      boilerplate notice, with the fields enclosed by brackets "[]"
      replaced with your own identifying information. (Don't include
      the brackets!)  The text should be enclosed in the appropriate
      comment syntax for the file format. We also recommend that a
      file or class name and description of purpose be included on the
      same "printed page" as the copyright notice for easier
      identification within third-party archives.

   Copyright 2018 Google Inc.

   Licensed under the Apache License, Version 2.0 (the "License");
   you may not use this file except in compliance with the License.
   You may obtain a copy of the License at

       http://www.apache.org/licenses/LICENSE-2.0

   Unless required by applicable law or agreed to in writing, software
   distributed under the License is distributed on an "AS IS" BASIS,
   WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
   See the License for the specific language governing permissions and
   limitations under the License.
*/
/*! uplot 1.6.32
The MIT License (MIT)

Copyright (c) 2022 Leon Sorokin

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
